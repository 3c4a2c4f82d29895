"""The statistical tests of Wang and Xia, on its own table and on ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from ramify.experiments.report import Cell, Table

#: By set, the values of the columns ("ID3 accuracy", ...).
Values = Mapping[str, Mapping[str, float]]

_FRIEDMAN = ("ID3", "CART", "C4.5", "Tsallis")
_PAIRS = (("Tsallis", "ID3"), ("Tsallis", "CART"), ("Tsallis ratio", "C4.5"))


def _column(values: Values, name: str) -> list[float]:
    # Rounded: means that are equal must not differ by rounding noise.
    return [round(row[name], 9) for row in values.values()]


def _p_friedman(values: Values, what: str) -> float:
    from scipy.stats import friedmanchisquare

    columns = [_column(values, f"{name} {what}") for name in _FRIEDMAN]
    if all(len(set(row)) == 1 for row in zip(*columns, strict=True)):
        return 1.0  # nothing differs, and scipy would divide by zero
    return float(friedmanchisquare(*columns).pvalue)


def _p_wilcoxon(values: Values, a: str, b: str, what: str) -> float:
    first, second = _column(values, f"{a} {what}"), _column(values, f"{b} {what}")
    return _p_of_gaps(tuple(round(x - y, 9) for x, y in zip(first, second, strict=True)))


@cache  # with ties scipy goes through all signs, which takes a second
def _p_of_gaps(gaps: tuple[float, ...]) -> float:
    from scipy.stats import wilcoxon

    return float(wilcoxon(gaps).pvalue) if any(gaps) else 1.0


def _better(values: Values, a: str, b: str, what: str) -> int:
    """Return on how many sets `a` is better: more accurate, or smaller."""
    sign = 1.0 if what == "accuracy" else -1.0
    pairs = zip(_column(values, f"{a} {what}"), _column(values, f"{b} {what}"), strict=True)
    return sum(sign * (x - y) > 1e-9 for x, y in pairs)


def _mean_gap(values: Values, a: str, b: str, what: str) -> float:
    """Return the mean over the sets of `a` less `b`."""
    pairs = list(zip(_column(values, f"{a} {what}"), _column(values, f"{b} {what}"), strict=True))
    return sum(x - y for x, y in pairs) / len(pairs)


def tests_table(what: str, tables: Mapping[str, Values], level: float) -> Table:
    """Return the p-values of all tests on the tables of several protocols, the printed one first.

    Parameters
    ----------
    what : {"accuracy", "nodes"}
        Which columns.
    tables : mapping
        By protocol.
    level : float
        Of significance.
    """
    rows: list[str] = []
    cells: list[tuple[Cell, ...]] = []
    rows.append("Friedman, " + ", ".join(_FRIEDMAN))
    cells.append(tuple(Cell(None, _p_friedman(values, what), 5) for values in tables.values()))
    for a, b in _PAIRS:
        rows.append(f"Wilcoxon, {a} and {b}")
        cells.append(tuple(Cell(None, _p_wilcoxon(values, a, b, what), 5) for values in tables.values()))
        rows.append(f"sets on which {a} is better than {b}")
        cells.append(tuple(Cell(None, _better(values, a, b, what), 0) for values in tables.values()))
        rows.append(f"mean over the sets, {a} less {b}")
        cells.append(tuple(Cell(None, _mean_gap(values, a, b, what), 2) for values in tables.values()))
    unit = "points of accuracy" if what == "accuracy" else "nodes"
    words = (
        f"p-values, numbers of sets, and {unit}. 'Printed' is the paper's own table. The paper claims that "
        f"UTCDT is better in all of these tests, at the level {level:g}."
    )
    return Table(f"Tests on {what}", tuple(rows), tuple(tables), tuple(cells), words, "test")


def count_claims(tables: Mapping[str, Values], level: float) -> str:
    """Return in a sentence how many of the paper's claims hold under each protocol."""
    counts = ", ".join(f"{protocol} {len(_held(values, level))}" for protocol, values in tables.items())
    claims = f"the paper's {2 * len(_PAIRS)} claims that a tuned q is better"
    return f"Of {claims} there hold, by the figures: {counts}."


def remaining_claims(tables: Mapping[str, Values], level: float) -> str:
    """Return in words which of the paper's claims hold under each protocol."""
    parts = []
    for protocol, values in tables.items():
        held = _held(values, level)
        gains = [_mean_gap(values, "Tsallis", other, "accuracy") for other in ("ID3", "CART")]
        parts.append(
            f"- {protocol}: {', '.join(held) if held else 'none of them'}; tuning q brings "
            f"{gains[0]:+.2f} points of accuracy over ID3 and {gains[1]:+.2f} over CART."
        )
    head = (
        "The paper claims that tuning q makes trees more accurate and smaller, significantly (Wilcoxon, "
        f"level {level:g}). Of these claims hold, by the figures"
    )
    return "\n".join([f"{head}:", *parts])


def _held(values: Values, level: float) -> Sequence[str]:
    held = []
    for what, word in (("accuracy", "more accurate"), ("nodes", "smaller")):
        for a, b in _PAIRS:
            most = 2 * _better(values, a, b, what) > len(values)
            if most and _p_wilcoxon(values, a, b, what) < level:
                held.append(f"{a} {word} than {b}")
    return held
