"""The command: choose suites, measure, print, record."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from . import machine, memory, record, report, timing
from .suites import BUILDERS, Case, Scale, Suite
from .timing import Effort, Result
from .workloads import Data, Workload

RESULTS = Path(__file__).resolve().parent / "results"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure ramify beside scikit-learn, YDF, LightGBM, XGBoost and Weka's J48.",
    )
    parser.add_argument(
        "suites", nargs="*", metavar="SUITE", help=f"all if none is named: {', '.join(BUILDERS)}"
    )
    parser.add_argument("--repeats", type=int, default=None, help="default 5, quick 3")
    parser.add_argument(
        "--budget",
        type=float,
        default=None,
        metavar="SECONDS",
        help="start no further repeat of a case after so long in one contender; default 100",
    )
    parser.add_argument("--threads", type=int, default=2, help="what several threads are; default 2")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE", help="where to record")
    parser.add_argument("--quick", action="store_true", help="small data, to see that all works")
    parser.add_argument("--verbose", action="store_true", help="tell every sample on stderr")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.suites if name not in BUILDERS]
    if unknown:
        parser.error(f"no suite {', '.join(unknown)}; there are {', '.join(BUILDERS)}")
    for name in ("repeats", "threads"):
        if getattr(options, name) is not None and getattr(options, name) < 1:
            parser.error(f"--{name} must be at least 1, not {getattr(options, name)}")
    return options


@dataclass
class Session:
    """One run: keeps the present data, and what was measured, so that nothing is done twice."""

    effort: Effort
    verbose: bool
    done: dict[Case, Result] = field(default_factory=dict)
    workload: Workload | None = None
    data: Data | None = None

    def suite(self, suite: Suite) -> list[Result]:
        """Measure a suite's cases and print each."""
        self._tell(f"{suite.name}: {suite.title}")
        results = []
        for case in suite.cases:
            result = self.case(suite, case)
            results.append(result)
            report.case_table(suite, result).show()
        for table in (report.growth_table(suite, results), report.total_table(suite, results)):
            if table is not None:
                table.show()
        return results

    def case(self, suite: Suite, case: Case) -> Result:
        """Measure a case, or take it from an earlier suite of this run."""
        if case in self.done and not case.same_tree:
            self._tell(f"  {case.label}: measured above")
            return replace(self.done[case], case=case)
        self._tell(f"  {case.label}")
        data = self._data(case.workload)
        if case.operation == "memory":
            result = memory.measure(case, data, self._detail)
        else:
            result = timing.measure(case, data, self.effort, self._detail)
        self.done[case] = result
        return result

    def _data(self, workload: Workload) -> Data:
        """Make the data, unless it is the case before's."""
        if self.data is None or self.workload != workload:
            self.data = None
            self.workload, self.data = workload, workload.make()
        return self.data

    def _tell(self, text: str) -> None:
        sys.stderr.write(f"[{time.strftime('%H:%M:%S')}] {text}\n")

    def _detail(self, text: str) -> None:
        if self.verbose:
            self._tell(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen suites."""
    options = parse(arguments)
    repeats = options.repeats or (3 if options.quick else 5)
    effort = Effort(repeats, 100.0 if options.budget is None else options.budget)
    scale = Scale(options.quick, options.threads)
    settings: dict[str, Any] = {
        "repeats": effort.repeats,
        "budget": effort.budget,
        "threads": scale.threads,
        "quick": scale.quick,
    }
    facts = machine.describe()
    stamp = facts["date"].replace(":", "").replace("+0000", "Z")
    path = options.json or RESULTS / f"{stamp}.json"
    report.machine_table(facts, settings).show()
    session = Session(effort, options.verbose)
    measured: list[tuple[Suite, list[Result]]] = []
    for name in dict.fromkeys(options.suites or BUILDERS):
        suite = BUILDERS[name](scale)
        measured.append((suite, session.suite(suite)))
        record.write(path, facts, settings, measured)
    report.contender_table(measured).show()
    report.summary_table(measured).show()
    sys.stdout.write(f"recorded in {path}\n")
    return 0
