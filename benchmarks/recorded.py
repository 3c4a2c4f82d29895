"""Runs that were recorded, and what can be asked of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

#: A contender as it stands in a record, or some of its fields: family, threads, settings.
Who = dict[str, Any]


class Recorded:
    """The suites of some files; one that is in several files is taken from the last."""

    def __init__(self, files: list[str]) -> None:
        self.suites: dict[str, dict[str, Any]] = {}
        self.machines: dict[str, dict[str, Any]] = {}
        for file in files:
            document = json.loads(Path(file).read_text(encoding="utf-8"))
            for suite in document["suites"]:
                self.suites[suite["name"]] = suite
                self.machines[suite["name"]] = document["machine"]

    def ratio(self, suite: str, label: str, who: Who, against: Who) -> str:
        """How many times as fast one contender is as another in the case whose label holds a text."""
        return f"{self.compared(suite, label, who, against)['median']:.3g}"

    def compared(self, suite: str, label: str, who: Who, against: Who) -> dict[str, Any]:
        """All that is recorded of one contender beside another."""
        for measured in self.measured(suite, label, who):
            for compared in measured["times_as_fast"]:
                if against.items() <= compared["reference"].items():
                    found: dict[str, Any] = compared
                    return found
        raise LookupError(f"{suite}: no {who} against {against} in a case {label!r}")

    def measured(self, suite: str, label: str, who: Who) -> list[dict[str, Any]]:
        """The measurements of a contender in the cases whose labels hold a text."""
        cases = [case for case in self.suites[suite]["cases"] if label in case["label"]]
        return [m for case in cases for m in case["measurements"] if who.items() <= m["contender"].items()]

    def median(self, suite: str, label: str, who: Who) -> float:
        """The median seconds of a contender in the first such case."""
        for measured in self.measured(suite, label, who):
            if measured["median"] is not None:
                return float(measured["median"])
        raise LookupError(f"{suite}: no {who} in a case {label!r}")

    def total(self, suite: str, who: Who) -> float:
        """The sum of a contender's medians over the cases of a suite that belong together."""
        for total in self.suites[suite].get("totals", []):
            if who.items() <= total["contender"].items():
                return float(total["seconds"])
        raise LookupError(f"{suite}: no total of {who}")
