"""Results as JSON: every sample, so that other numbers can be drawn from it later."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

from . import ratios
from .contenders import to_spec
from .suites import Suite
from .timing import Measurement, Result

FORMAT = 1


def write(
    path: Path,
    machine: dict[str, Any],
    settings: dict[str, Any],
    measured: list[tuple[Suite, list[Result]]],
) -> None:
    """Write all results so far; an interrupted run keeps what it had."""
    record = {
        "format": FORMAT,
        "machine": machine,
        "settings": settings,
        "suites": [_suite(suite, results) for suite, results in measured],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=1) + "\n")


def _suite(suite: Suite, results: list[Result]) -> dict[str, Any]:
    placed = [result for result in results if result.case.axis is not None]
    contenders = dict.fromkeys(m.contender for r in placed for m in r.measurements)
    grown = [
        {"contender": to_spec(contender), "median_and_factor": ratios.growth(placed, contender)}
        for contender in contenders
        if len(placed) > 1
    ]
    return {
        "name": suite.name,
        "title": suite.title,
        "cases": [_case(r) for r in results],
        "growth": grown,
        "totals": [
            {"contender": to_spec(contender), "seconds": seconds}
            for contender, seconds in ratios.totals([r for r in results if r.case.summed]).items()
        ],
    }


def _case(result: Result) -> dict[str, Any]:
    case = result.case
    return {
        "label": case.label,
        "operation": case.operation,
        "workload": {"kind": type(case.workload).__name__} | asdict(case.workload),  # type: ignore[call-overload]
        "limits": asdict(case.limits),
        "axis": case.axis,
        "same_tree": ratios.same_tree(result) if case.same_tree else None,
        "measurements": [_measurement(m, result) for m in result.measurements],
    }


def _measurement(m: Measurement, result: Result) -> dict[str, Any]:
    """Describe one contender; ratios say how many times as fast as a reference it was."""
    seconds = m.seconds
    compared = []
    for reference in result.case.references:
        ratio = ratios.speed(m, result.of(reference))
        if ratio is not None and reference != m.contender:
            times = ratios.memory(m, result.of(reference))
            compared.append({"reference": to_spec(reference), **asdict(ratio), "memory": times})
    return {
        "contender": to_spec(m.contender),
        "name": m.contender.name,
        "version": m.contender.version(),
        "status": m.status,
        "repeats": len(seconds),
        "loops": m.loops,
        "median": median(seconds) if seconds else None,
        "min": min(seconds) if seconds else None,
        "spread": ratios.spread(seconds),
        "seconds": seconds,
        "preparing_seconds": [s.preparing for s in m.samples],
        "nodes": m.nodes,
        "fingerprint": m.fingerprint,
        "memory": m.memory,
        "times_as_fast": compared,
    }
