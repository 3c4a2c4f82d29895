"""Weka's side of a comparison: its ARFF files as frames, and the trees that its J48 grows.

Needs Debian's package `weka` (3.6) and a Java that can start a source file: Debian's runtime alone can, no
compiler has to be installed beside it.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

JAR = Path("/usr/share/java/weka.jar")
EXAMPLES = Path("/usr/share/doc/weka/examples")
DRIVER = Path(__file__).with_name("J48Driver.java")


@cache
def why_no_weka() -> str | None:
    """Why J48 cannot be run here, or None."""
    java = shutil.which("java")
    if java is None:
        return "no Java"
    if not JAR.exists():
        return f"no {JAR}: install Debian's package weka"
    listed = subprocess.run([java, "--list-modules"], capture_output=True, text=True, check=False)
    if not re.search(r"^jdk\.compiler\b", listed.stdout, re.MULTILINE):
        return "this Java cannot start a source file: it has no module jdk.compiler"
    return None


@dataclass(frozen=True)
class Setting:
    """What a tree is grown with: J48's options, by the words of `ramify.c45`."""

    min_samples_leaf: int = 2
    binary: bool = False
    pruned: bool = True
    confidence: float = 0.25
    raising: bool = True
    laplace: bool = False

    @property
    def options(self) -> str:
        """The options of J48; it refuses -C and -S together with -U."""
        words = [f"-M {self.min_samples_leaf}"]
        words += ["-B"] * self.binary
        words += [f"-C {self.confidence}" + " -S" * (not self.raising)] if self.pruned else ["-U"]
        words += ["-A"] * self.laplace
        return " ".join(words)


@dataclass(frozen=True)
class J48:
    """A tree of J48: its size, what it says of every row it was grown from, and itself in print."""

    leaves: int
    nodes: int
    seconds: float
    predictions: np.ndarray = field(repr=False)
    probabilities: np.ndarray = field(repr=False)
    text: str = field(repr=False)


def run_j48(path: Path, setting: Setting) -> J48:
    """Grow one tree from an ARFF file; the predictions are indexes into the declared classes."""
    return run_j48_on([(path, setting)])[0]


def run_j48_on(jobs: Iterable[tuple[Path, Setting]]) -> list[J48]:
    """Grow many trees in one Java process; neighbours from the same file share its reading."""
    answers = _ask(f"evaluate\t{path}\t{setting.options}" for path, setting in jobs)
    return [
        J48(**answer)
        for answer in (
            {k: np.array(v) if k in ("predictions", "probabilities") else v for k, v in answer.items()}
            for answer in answers
        )
    ]


def describe(paths: Iterable[Path]) -> list[list[dict[str, Any]]]:
    """How Weka reads files: name, declared values (None for numbers) and values of every attribute."""
    return [answer["attributes"] for answer in _ask(f"describe\t{path}\t" for path in paths)]


def _ask(requests: Iterable[str]) -> list[dict[str, Any]]:
    """The driver's answers; the first that is an error is raised."""
    lines = list(requests)
    # The trees are small, so the quick compiler does, and one thread collects the garbage.
    command = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djava.awt.headless=true"]
    done = subprocess.run(
        [*command, "-cp", str(JAR), str(DRIVER)],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode != 0 or len(answers) != len(lines):
        raise RuntimeError(f"{DRIVER.name} ended with status {done.returncode}: {done.stderr.strip()}")
    for line, answer in zip(lines, answers, strict=True):
        if "error" in answer:
            raise RuntimeError(f"{line!r}: {answer['error']}")
    return answers


class UnsuitableError(ValueError):
    """A file that J48 does not take, or that says nothing about trees; the text is the reason."""


class Arff(NamedTuple):
    """An ARFF file. The class is the last attribute; what is declared keeps its order, used or not."""

    X: pd.DataFrame
    y: pd.Categorical
    names: list[str]


# What Weka's tokenizer knows: quotes, braces, words, comments. Commas are white space to it.
_TOKEN = re.compile(
    r"""'(?P<single>(?:[^'\\]|\\.)*)' | "(?P<double>(?:[^"\\]|\\.)*)" | (?P<brace>[{}])
        | (?P<word>[^\s,{}'"%]+) | (?P<comment>%.*)""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


def _tokens(line: str) -> list[tuple[str, bool]]:
    """The words of a line, each with whether it was quoted."""
    if not any(mark in line for mark in "'\"{}%"):
        return [(word, False) for word in line.replace(",", " ").split()]
    found = []
    for match in _TOKEN.finditer(line):
        kind, text = match.lastgroup, match[match.lastgroup or 0]
        if kind == "comment":
            break
        quoted = kind in ("single", "double")
        if quoted:
            text = _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), text)
        found.append((text, quoted))
    return found


def _declaration(tokens: list[tuple[str, bool]]) -> tuple[str, list[str] | None]:
    """The name of an attribute and its values, None for numbers."""
    (_, _), (name, _), *rest = tokens
    if rest[0] == ("{", False):
        return name, [text for text, _ in rest[1:-1]]
    if rest[0][0].lower() in ("numeric", "real", "integer"):
        return name, None
    raise UnsuitableError(f"column {name!r} is of type {rest[0][0]}")


def _column(cells: tuple[str | None, ...], declared: list[str] | None) -> np.ndarray | pd.Categorical:
    if declared is None:
        return np.array([np.nan if cell is None else float(cell) for cell in cells], dtype=np.float64)
    index = {value: code for code, value in enumerate(declared)}
    codes = [-1 if cell is None else index[cell] for cell in cells]
    return pd.Categorical.from_codes(codes, categories=declared)


def read_arff(path: Path) -> Arff:
    """Read a dense ARFF file with a nominal class; another one is `UnsuitableError`."""
    attributes: list[tuple[str, list[str] | None]] = []
    rows: list[list[str | None]] = []
    in_data = False
    for line in path.read_text(encoding="utf-8").splitlines():
        tokens = _tokens(line)
        if not tokens:
            continue
        if in_data:
            rows.append([None if token == ("?", False) else token[0] for token in tokens])
        elif tokens[0][0].lower() == "@attribute":
            attributes.append(_declaration(tokens))
        in_data = in_data or tokens[0][0].lower() == "@data"
    if any(len(row) != len(attributes) for row in rows):
        raise UnsuitableError("a row has not as many values as there are attributes")
    names = [name for name, _ in attributes]
    columns = [
        _column(cells, declared)
        for cells, (_, declared) in zip(zip(*rows, strict=True), attributes, strict=True)
    ]
    y = columns.pop()
    if not isinstance(y, pd.Categorical):
        raise UnsuitableError("the class is a number")
    if (y.codes < 0).any():
        raise UnsuitableError("rows without a class")
    return Arff(pd.DataFrame(dict(zip(names, columns, strict=False))), y, names)


def write_arff(path: Path, X: pd.DataFrame, y: pd.Categorical) -> None:
    """Write what `read_arff` reads; names and values may be any text."""

    def quoted(text: str) -> str:
        return "'" + str(text).replace("\\", "\\\\").replace("'", "\\'") + "'"

    def declaration(name: str, values: Any) -> str:
        kind = "numeric" if values is None else "{" + ",".join(map(quoted, values)) + "}"
        return f"@attribute {quoted(name)} {kind}"

    def cells(column: Any) -> list[str]:
        if isinstance(column.dtype, pd.CategoricalDtype):
            codes = column.codes if isinstance(column, pd.Categorical) else column.cat.codes
            texts = [*map(quoted, column.dtype.categories), "?"]
            return [texts[code] for code in codes]
        return ["?" if value != value else repr(float(value)) for value in column]

    everything = {**{name: X[name] for name in X.columns}, "class": y}
    lines = ["% written by ramify's tests", f"@relation {path.stem}"]
    for name, column in everything.items():
        nominal = isinstance(column.dtype, pd.CategoricalDtype)
        lines.append(declaration(name, column.dtype.categories if nominal else None))
    lines.append("@data")
    lines += map(",".join, zip(*map(cells, everything.values()), strict=True))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
