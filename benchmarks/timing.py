"""Measuring: interleaved repeats, so that a slow spell of the machine meets every contender."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from .contenders import Contender
from .suites import PREDICT_FIT_ROWS, Case
from .workloads import Data

WARM_ROWS = 200

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Effort:
    """How often to measure.

    A contender starts no further repeat of a case once it has spent ``budget`` seconds on it. Calls
    shorter than ``shortest`` seconds are looped until a sample lasts about that long.
    """

    repeats: int = 5
    budget: float = 100.0
    shortest: float = 0.05


@dataclass(frozen=True)
class Sample:
    """Seconds of one call: in all, and the part spent on making the learner's data set."""

    seconds: float
    preparing: float = 0.0


@dataclass
class Measurement:
    """What was learned about one contender in one case."""

    contender: Contender
    status: str = "measured"
    loops: int = 1
    samples: list[Sample] = field(default_factory=list)
    nodes: int | None = None
    fingerprint: str | None = None
    memory: dict[str, Any] | None = None

    @property
    def usable(self) -> bool:
        """Whether the contender is there and has not failed."""
        return self.status == "measured"

    @property
    def seconds(self) -> list[float]:
        """The samples' seconds, in the order of the repeats."""
        return [sample.seconds for sample in self.samples]


@dataclass
class Result:
    """A case with what was measured in it."""

    case: Case
    measurements: list[Measurement]
    rows: int

    def of(self, contender: Contender) -> Measurement | None:
        """Return the measurement of a contender that has samples, else None."""
        found = (m for m in self.measurements if m.contender == contender and m.samples)
        return next(found, None)


@dataclass
class Runner:
    """One contender in one case: warms up, finds the number of loops, takes samples."""

    case: Case
    data: Data
    contender: Contender
    result: Measurement = field(init=False)
    spent: float = 0.0
    model: Any = None

    def __post_init__(self) -> None:
        """Start with nothing measured."""
        self.result = Measurement(self.contender)

    def guard(self, act: Callable[[], None]) -> None:
        """Run a step; a contender that raises is reported as failed, and the others go on."""
        if not self.result.usable:
            return
        try:
            act()
        except Exception as error:
            text = str(error).strip().splitlines() or [""]
            self.result.status = f"failed: {type(error).__name__}: {text[0]}"
            self.model = None

    def start(self) -> None:
        """Pay for imports and thread pools, and fit what "predict" needs, outside the clock."""
        if not self.contender.installed():
            self.result.status = "not installed"
            return
        self._fit(self.data.head(WARM_ROWS))
        if self.case.operation == "predict":
            self.model = self._fit(self.data.head(PREDICT_FIT_ROWS))[1]
            self.result.nodes = self.contender.nodes(self.model)
            self.contender.predict(self.model, self.data.X[:WARM_ROWS])

    def repeat(self, effort: Effort) -> None:
        """Take one sample, unless the contender has used up its time."""
        if self.spent > effort.budget:
            return
        sample = self._sample(self.result.loops)
        if not self.result.samples and sample.seconds < effort.shortest:
            self.result.loops = math.ceil(effort.shortest / max(sample.seconds, 1e-7))
            sample = self._sample(self.result.loops)
        self.result.samples.append(sample)

    def _sample(self, loops: int) -> Sample:
        """Time ``loops`` calls and return the mean of one."""
        gc.collect()
        gc.disable()
        try:
            samples = [self._call() for _ in range(loops)]
        finally:
            gc.enable()
        seconds = sum(s.seconds for s in samples)
        self.spent += seconds
        return Sample(seconds / loops, sum(s.preparing for s in samples) / loops)

    def _call(self) -> Sample:
        if self.case.operation == "predict":
            begin = time.perf_counter()
            self.contender.predict(self.model, self.data.X)
            return Sample(time.perf_counter() - begin)
        sample, model = self._fit(self.data)
        if self.result.nodes is None:
            self.result.nodes = self.contender.nodes(model)
            if self.case.same_tree:
                self.result.fingerprint = self.contender.fingerprint(model)
        return sample

    def _fit(self, data: Data) -> tuple[Sample, Any]:
        """Fit once; the data set and the model of the last fit are gone before the clock starts."""
        begin = time.perf_counter()
        native = self.contender.prepare(data, self.case.limits)
        ready = time.perf_counter()
        model = self.contender.train(native, self.case.limits)
        end = time.perf_counter()
        own = self.contender.own_seconds(model)
        return (Sample(end - begin, ready - begin) if own is None else Sample(own)), model


def measure(case: Case, data: Data, effort: Effort, progress: Progress) -> Result:
    """Measure all contenders of a case, one sample each per repeat, starting with another each."""
    runners = [Runner(case, data, contender) for contender in case.contenders]
    for runner in runners:
        runner.guard(runner.start)
    for repeat in range(effort.repeats):
        first = repeat % len(runners)
        for runner in runners[first:] + runners[:first]:
            before = len(runner.result.samples)
            runner.guard(partial(runner.repeat, effort))
            if len(runner.result.samples) > before:
                last = runner.result.samples[-1].seconds
                who = f"{runner.contender.name}, {runner.contender.threads} thread(s)"
                progress(f"    repeat {repeat + 1}: {who}: {last:.4g} s")
    return Result(case, [runner.result for runner in runners], len(data.y))
