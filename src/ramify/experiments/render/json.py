"""Reports as JSON: keys sorted, and times apart, so that one seed gives the same bytes but for them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from ramify.experiments.report import Block, Cell, Report

_FORMAT = "ramify report 1"


def json_of(reports: Sequence[Report]) -> str:
    """Return the document."""
    content = {
        "format": _FORMAT,
        "reports": [_report(report) for report in reports],
        "seconds": {report.study: dict(report.seconds) for report in reports},
    }
    return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def _report(report: Report) -> dict[str, Any]:
    content: dict[str, Any] = _plain(report)
    del content["seconds"]
    return content | {"counts": report.counts(), "errata": report.errata()}


def _plain(value: Any) -> Any:
    """Return what JSON can hold of any part of a report; what a cell only implies is spelt out."""
    if is_dataclass(value):
        content = {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
        if isinstance(value, Cell):
            derived = {"mark": value.mark, "difference": value.difference, "interval": value.interval}
            content |= _plain(derived)
        elif isinstance(value, Block):
            content["kind"] = type(value).__name__.lower()
        return content
    if isinstance(value, Mapping):
        return {str(name): _plain(content) for name, content in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(content) for content in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
