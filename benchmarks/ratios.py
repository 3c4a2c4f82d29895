"""Numbers drawn from samples: a contender's median and spread, and ratios of two contenders."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from .contenders import Contender
from .timing import Measurement, Result


@dataclass(frozen=True)
class Ratio:
    """How many times as long one took as another, as the median over the repeats both took part in.

    Each repeat gives one ratio, of two calls made shortly after one another.
    """

    median: float
    low: float
    high: float
    pairs: int


def spread(seconds: list[float]) -> float | None:
    """Return (slowest - fastest) / median, None for a single sample."""
    if len(seconds) < 2:
        return None
    return (max(seconds) - min(seconds)) / median(seconds)


def speed(measurement: Measurement, reference: Measurement | None) -> Ratio | None:
    """How many times as fast as the reference: its seconds over the measurement's, in pairs."""
    if reference is None or not measurement.samples or not reference.samples:
        return None
    pairs = zip(reference.seconds, measurement.seconds, strict=False)
    ratios = [theirs / ours for theirs, ours in pairs]
    return Ratio(median(ratios), min(ratios), max(ratios), len(ratios))


def memory(measurement: Measurement, reference: Measurement | None) -> float | None:
    """How many times the peak of the reference, what both returned to their callers left out."""
    mine, other = _working_bytes(measurement), _working_bytes(reference)
    return None if mine is None or not other else mine / other


def _working_bytes(measurement: Measurement | None) -> int | None:
    if measurement is None or measurement.memory is None or measurement.memory["returned_bytes"] is None:
        return None
    return max(0, int(measurement.memory["extra_bytes"]) - int(measurement.memory["returned_bytes"]))


def growth(results: list[Result], contender: Contender) -> list[tuple[float, float | None] | None]:
    """Return median seconds in each case, with the factor since the last case that has one."""
    steps: list[tuple[float, float | None] | None] = []
    last: float | None = None
    for result in results:
        found = result.of(contender)
        if found is None:
            steps.append(None)
            continue
        now = median(found.seconds)
        steps.append((now, None if last is None else now / last))
        last = now
    return steps


def totals(results: list[Result]) -> dict[Contender, float]:
    """Return the sum of the medians of each contender that was measured in all of these cases."""
    found = {}
    for contender in dict.fromkeys(m.contender for result in results for m in result.measurements):
        measured = [m for m in (result.of(contender) for result in results) if m is not None]
        if len(measured) == len(results):
            found[contender] = sum(median(m.seconds) for m in measured)
    return found


def same_tree(result: Result) -> bool | None:
    """Whether all contenders of a case grew the same tree; None if that cannot be told."""
    prints = [m.fingerprint for m in result.measurements if m.usable]
    if len(prints) < 2 or None in prints:
        return None
    return len(set(prints)) == 1
