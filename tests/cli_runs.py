"""Runs of the command line: in this process, which is fast, and in one of its own, which is real."""

import os
import subprocess
import sys

from typer.testing import CliRunner

from ramify.cli import app


def invoke(*arguments, code=0, **named):
    """Run a command here; it must end with this code and, if that is not 0, with one line on stderr."""
    done = CliRunner().invoke(app, list(map(str, arguments)), **named)
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    assert done.exit_code == code, done.output
    if code:
        assert done.stderr.count("\n") == 1, done.stderr
        assert done.stderr.startswith("ramify: ")
    return done


def command(*arguments):
    """The command as a user types it."""
    return [sys.executable, "-m", "ramify", *map(str, arguments)]


def run(*arguments, code=0, environment=None, **named):
    """Run a command in a process of its own."""
    named.setdefault("text", True)
    done = subprocess.run(
        command(*arguments),
        capture_output=True,
        check=False,
        env=os.environ | (environment or {}),
        **named,
    )
    assert done.returncode == code, done.stderr
    return done
