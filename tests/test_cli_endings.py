"""How commands end: pipes that close, encodings that lack characters, Ctrl-C."""

import os
import signal
import subprocess
import sys
import time

import pytest

from cli_runs import command, run

posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals and pipes")


@posix
def test_a_reader_that_goes_away_ends_it_quietly():
    with subprocess.Popen(command("criteria"), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.parametrize("encoding", [pytest.param("ascii", marks=pytest.mark.slow), "cp1252", "cp437"])
def test_encodings_that_lack_characters(encoding):
    # Not the terminal's encoding but that of a pipe, as on Windows.
    done = run("fit", "titanic", "--cv", 0, environment={"PYTHONIOENCODING": encoding}, text=False)
    out = done.stdout.decode(encoding)
    assert "sex = female" in out and "?" not in out
    bars = {"ascii": "########----", "cp1252": "########----", "cp437": "████████▒▒▒▒"}
    assert bars[encoding] in out


@posix
@pytest.mark.parametrize(
    "arguments",
    [
        ("fit", "{big}", "--q", "auto"),
        pytest.param(("qpath", "{big}", "--resume", "{run}"), marks=pytest.mark.slow),
        pytest.param(("reproduce", "hart", "--resume", "{run}"), marks=pytest.mark.slow),
    ],
    ids=lambda arguments: arguments[0],
)
def test_ctrl_c_ends_with_130(arguments, tmp_path):
    rows = "\n".join(f"{i * 7919 % 10007},{i * 31 % 1009},{i * i * 31 % 7}" for i in range(100_000))
    (tmp_path / "big.csv").write_text(f"a,b,y\n{rows}\n")
    places = {"big": tmp_path / "big.csv", "run": tmp_path / "run"}
    with subprocess.Popen(
        command(*(argument.format(**places) for argument in arguments)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as process:
        if arguments[0] == "reproduce":
            end = time.monotonic() + 100
            while time.monotonic() < end and not places["run"].exists():
                time.sleep(0.02)
        else:
            assert "100,000 rows" in process.stdout.readline()  # it has begun
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=100)
    assert process.returncode == 130, said
    assert "Traceback" not in said
