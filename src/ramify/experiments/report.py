"""The report: what a study printed, what we find, and how the two agree.

    Report -> Section -> Table | Steps | Figure | Listing -> Cell

A report holds numbers and words only; `ramify.experiments.render` makes text, Markdown, HTML and JSON
of it. Two runs with the same seed make equal reports apart from `Report.seconds`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

Mark = Literal["exact", "inside", "differs", "ours only", "missing"]
Value = float | str | None

#: Every mark, best first.
MARKS: tuple[Mark, ...] = ("exact", "inside", "differs", "ours only", "missing")

#: Slack for values that are equal but for the rounding of doubles.
_SLACK = 1e-9


@dataclass(frozen=True)
class Cell:
    """A published value beside ours.

    Attributes
    ----------
    published, ours : float or str, optional
        None where nothing was published, or nothing could be computed.
    digits : int, default=2
        Decimals as printed.
    se : float, optional
        Standard error of ours.
    freedom : int, optional
        Degrees of freedom of the standard error (folds - 1); None takes the normal distribution.
    cut : bool, default=False
        The study cut its digits off instead of rounding them.
    erratum : str
        What is wrong with the published value, if something is.
    note : str
        Anything else that a reader must know.
    flag : str
        A sign before ours, which the words of the table explain.

    Examples
    --------
    >>> from ramify.experiments import Cell
    >>> Cell(published=0.940, ours=0.94029, digits=3).mark
    'exact'
    >>> Cell(published=78.0, ours=77.1, digits=1, se=0.6).mark
    'inside'
    >>> Cell(published=0.246, ours=0.24675, digits=3).mark
    'differs'
    """

    published: Value = None
    ours: Value = None
    digits: int = 2
    se: float | None = None
    freedom: int | None = None
    cut: bool = False
    erratum: str = ""
    note: str = ""
    flag: str = ""

    @property
    def mark(self) -> Mark:
        """How the two values agree.

        "exact": to all published digits; "inside": the published value lies in the 95% interval of
        ours; "differs"; "ours only": nothing was published; "missing": we have nothing.
        """
        if self.ours is None:
            return "missing"
        if self.published is None:
            return "ours only"
        if isinstance(self.ours, str) or isinstance(self.published, str):
            return "exact" if self.ours == self.published else "differs"
        if self._same_digits(self.published, self.ours):
            return "exact"
        interval = self.interval
        inside = interval is not None and interval[0] - _SLACK <= self.published <= interval[1] + _SLACK
        return "inside" if inside else "differs"

    @property
    def difference(self) -> float | None:
        """Ours less published, or None if one of them is no number."""
        if isinstance(self.ours, str | None) or isinstance(self.published, str | None):
            return None
        return self.ours - self.published

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95% interval of ours, or None without a standard error."""
        if self.se is None or isinstance(self.ours, str | None):
            return None
        reach = self.se * _quantile(self.freedom)
        return self.ours - reach, self.ours + reach

    def _same_digits(self, published: float, ours: float) -> bool:
        if not (math.isfinite(published) and math.isfinite(ours)):
            return published == ours
        unit = 10.0**-self.digits
        slack = _SLACK * max(1.0, abs(published))
        if self.cut:
            return -slack <= (abs(ours) - abs(published)) < unit - slack and ours * published >= 0
        # A value right between two roundings may be printed either way.
        return abs(ours - published) <= unit / 2 + slack


def _quantile(freedom: int | None) -> float:
    """Return the 97.5% quantile of Student's t, or of the normal distribution."""
    from scipy.special import ndtri, stdtrit

    return float(ndtri(0.975) if freedom is None else stdtrit(freedom, 0.975))


@dataclass(frozen=True)
class Table:
    """A grid of cells: rows down, columns across; None is a place that was left empty.

    Attributes
    ----------
    title : str
        With the paper's own number of the table, if it has one.
    rows, columns : tuple of str
        Labels.
    cells : tuple of tuples of Cell or None
        As many tuples as rows, as many cells in each as columns.
    words : str
        What is shown and what was found.
    corner : str
        What the labels of the rows are.
    """

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Cell | None, ...], ...]
    words: str = ""
    corner: str = ""

    def __post_init__(self) -> None:
        shape = [len(row) for row in self.cells]
        if shape != [len(self.columns)] * len(self.rows):
            raise ValueError(
                f"table {self.title!r} has {len(self.rows)} rows and {len(self.columns)} columns, "
                f"but cells of the lengths {shape}."
            )

    def each(self) -> Iterator[tuple[str, Cell]]:
        """Yield the label and the cell of every place that is not empty."""
        for row, cells in zip(self.rows, self.cells, strict=True):
            for column, cell in zip(self.columns, cells, strict=True):
                if cell is not None:
                    yield f"{row}, {column}", cell


@dataclass(frozen=True)
class Step:
    """One number of a worked example, and how it is computed."""

    label: str
    cell: Cell
    how: str = ""


@dataclass(frozen=True)
class Steps:
    """Worked numbers in their order."""

    title: str
    steps: tuple[Step, ...]
    words: str = ""

    def each(self) -> Iterator[tuple[str, Cell]]:
        """Yield the label and the cell of every step."""
        for step in self.steps:
            yield step.label, step.cell


@dataclass(frozen=True)
class Series:
    """Points of a figure, in the order in which they are joined."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    style: Literal["line", "points", "steps", "bars"] = "line"

    def __post_init__(self) -> None:
        if len(self.x) != len(self.y):
            raise ValueError(f"series {self.name!r} has {len(self.x)} x and {len(self.y)} y.")


@dataclass(frozen=True)
class Figure:
    """A picture: series of points, or a drawing that is ready.

    Attributes
    ----------
    title : str
        With the paper's own number of the figure, if it has one.
    series : tuple of Series
        What is drawn, if `svg` is empty.
    x_label, y_label : str
        What the axes are.
    verticals : tuple of (str, float)
        Places on the x axis to be marked, with their names.
    words : str
        What is shown and what was found.
    svg : str
        A drawing to be shown as it is.
    """

    title: str
    series: tuple[Series, ...] = ()
    x_label: str = ""
    y_label: str = ""
    verticals: tuple[tuple[str, float], ...] = ()
    words: str = ""
    svg: str = ""

    def each(self) -> Iterator[tuple[str, Cell]]:
        """Yield nothing: a figure has no cells."""
        yield from ()


@dataclass(frozen=True)
class Listing:
    """Text whose lines and spaces stand as they are, such as a tree."""

    title: str
    text: str
    words: str = ""

    def each(self) -> Iterator[tuple[str, Cell]]:
        """Yield nothing: a listing has no cells."""
        yield from ()


Block = Table | Steps | Figure | Listing


@dataclass(frozen=True)
class Section:
    """Blocks under one heading; `words` stands before them."""

    title: str
    blocks: tuple[Block, ...] = ()
    words: str = ""

    def counts(self) -> dict[Mark, int]:
        """Return how many cells have each mark."""
        return _count(self.blocks)

    def errata(self) -> int:
        """Return how many cells name an error of the published value."""
        return sum(bool(cell.erratum) for block in self.blocks for _, cell in block.each())


@dataclass(frozen=True)
class Report:
    """What a run of a study found.

    Attributes
    ----------
    study, title, paper : str
        The study's name, what it is about, and the paper's authors and title.
    sections : tuple of Section
        The findings.
    words : str
        The findings in short.
    settings : mapping of str to str, int, float or bool
        All that the numbers depend on but the seed and the versions.
    versions : mapping of str to str
        Of the libraries that made the numbers.
    seed : int
        Of every random number.
    seconds : mapping of str to float
        What took how long. The only part that may differ between two runs with one seed.
    command : str
        What made it; empty for ``ramify reproduce``.
    """

    study: str
    title: str
    paper: str
    sections: tuple[Section, ...]
    words: str = ""
    settings: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    command: str = ""

    def has_published(self) -> bool:
        """Whether anything of it stands beside a published value."""
        blocks = (block for section in self.sections for block in section.blocks)
        return any(cell.published is not None for block in blocks for _, cell in block.each())

    def counts(self) -> dict[Mark, int]:
        """Return how many cells have each mark."""
        return _count(tuple(block for section in self.sections for block in section.blocks))

    def errata(self) -> int:
        """Return how many cells name an error of the published value."""
        return sum(section.errata() for section in self.sections)


def _count(blocks: tuple[Block, ...]) -> dict[Mark, int]:
    found = Counter(cell.mark for block in blocks for _, cell in block.each())
    return {mark: found[mark] for mark in MARKS}
