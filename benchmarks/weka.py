"""Weka's J48 as a contender: a Java process that is kept, so that its start and its reading are not timed."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from .contenders import Contender, Limits
from .workloads import Data

JAR = Path("/usr/share/java/weka.jar")
DRIVER = Path(__file__).resolve().parent.parent / "tests" / "J48Driver.java"


class Server:
    """The Java process, and the file that its last data set was written to."""

    def __init__(self) -> None:
        """Start Java with Weka; the compiler of its launcher reads the driver."""
        self.folder = tempfile.TemporaryDirectory()
        self.data: Data | None = None
        self.written = 0
        self.process = subprocess.Popen(
            ["java", "-Djava.awt.headless=true", "-cp", str(JAR), str(DRIVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        atexit.register(self.close)

    @property
    def path(self) -> Path:
        """The file of the present data."""
        return Path(self.folder.name) / f"data{self.written}.arff"

    def write(self, data: Data) -> Path:
        """Write the data, unless it is the last that was written; one file is kept."""
        if self.data is not data:
            self.path.unlink(missing_ok=True)
            self.data, self.written = data, self.written + 1
            write_arff(self.path, data)
        return self.path

    def fit(self, path: Path, options: str) -> dict[str, Any]:
        """Grow a tree; the answer has its size and the seconds of the growing alone."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"fit\t{path}\t{options}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line else {"error": "the Java process ended"}
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def close(self) -> None:
        """End the process by the end of its input."""
        self.process.communicate()
        self.folder.cleanup()


@cache
def server() -> Server:
    """Return the one process of this run."""
    return Server()


@dataclass(frozen=True)
class J48(Contender):
    """J48 with its default pruning, timed by its own clock from its data in memory; always one thread."""

    package: ClassVar[str] = "weka"

    @property
    def name(self) -> str:
        """The learner's name in Weka."""
        return "Weka J48"

    @property
    def note(self) -> str:
        """What is in the time."""
        return "C4.5 with pruning; growing alone, in a running Java that has read the data"

    def installed(self) -> bool:
        """Whether there are Java and Debian's package."""
        return shutil.which("java") is not None and JAR.exists()

    def version(self) -> str | None:
        """Version from the name of the archive that the link leads to."""
        return JAR.resolve().stem.removeprefix("weka-") if self.installed() else None

    def prepare(self, data: Data, limits: Limits) -> Path:
        """Write the data where Java finds it."""
        return server().write(data)

    def train(self, native: Path, limits: Limits) -> dict[str, Any]:
        """Let Java grow the tree."""
        if limits.max_depth is not None:
            raise ValueError("J48 has no limit of depth")
        return server().fit(native, f"-M {limits.min_samples_leaf}")

    def nodes(self, model: dict[str, Any]) -> int | None:
        """Number of nodes, empty leaves among them."""
        return int(model["nodes"])

    def own_seconds(self, model: dict[str, Any]) -> float | None:
        """The clock of the other process."""
        return float(model["seconds"])


def write_arff(path: Path, data: Data) -> None:
    """Write a frame of category and number columns; the labels become the class."""
    import pandas as pd

    columns = {str(name): data.X[name] for name in data.X.columns}
    columns["class"] = pd.Series(pd.Categorical(data.y, range(data.classes)), index=data.X.index)
    lines = ["@relation data"]
    for name, column in columns.items():
        nominal = isinstance(column.dtype, pd.CategoricalDtype)
        values = "{" + ",".join(map(str, column.cat.categories)) + "}" if nominal else "numeric"
        lines.append(f"@attribute {name} {values}")
    table = pd.DataFrame(columns).to_csv(header=False, index=False, na_rep="?")
    path.write_text("\n".join([*lines, "@data", table]))
