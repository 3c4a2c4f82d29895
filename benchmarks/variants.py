"""The library in other ways than a plain fit: as C4.5, with gaps in the data, and pruning alone."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .contenders import Limits, Ramify
from .workloads import Data


@dataclass(frozen=True)
class RamifyC45(Ramify):
    """The library in the dialect of C4.5, pruning included; the order of the entropy is C4.5's own."""

    @property
    def name(self) -> str:
        """The preset."""
        return "ramify c45"

    @property
    def note(self) -> str:
        """What is in the time."""
        return "c45().fit: from a pandas frame to the pruned tree"

    def train(self, native: Data, limits: Limits) -> Any:
        """Fit the preset."""
        from ramify import c45

        model = c45(min_samples_leaf=limits.min_samples_leaf, max_depth=limits.max_depth, n_jobs=self.threads)
        return model.fit(native.X, native.y)


@dataclass(frozen=True)
class RamifyGaps(Ramify):
    """The library on the same data with one cell in twenty missing; making the gaps is not timed."""

    missing: str = "fractional"

    GAPS: ClassVar[float] = 0.05

    @property
    def name(self) -> str:
        """The order of the entropy and the way with missing values."""
        return f"ramify q={self.q:g}, 5% {self.missing}"

    def train(self, native: Data, limits: Limits) -> Any:
        """Fit the estimator to the data with gaps."""
        from ramify import TreeClassifier

        gaps = np.random.default_rng(0).random(native.X.shape) < self.GAPS
        X = np.where(gaps, np.float32("nan"), native.X)
        model = TreeClassifier(
            q=self.q,
            min_samples_leaf=limits.min_samples_leaf,
            max_depth=limits.max_depth,
            missing=self.missing,
            n_jobs=self.threads,
        )
        begin = time.perf_counter()
        model.fit(X, native.y)
        model.benchmark_seconds_ = time.perf_counter() - begin
        return model

    def own_seconds(self, model: Any) -> float | None:
        """The fit alone."""
        return float(model.benchmark_seconds_)


@dataclass(frozen=True)
class RamifyPruning(Ramify):
    """Pessimistic pruning of a grown tree, by itself."""

    @property
    def name(self) -> str:
        """The act that is timed."""
        return "ramify prune"

    @property
    def note(self) -> str:
        """What is in the time."""
        return "prune(model): pessimistic pruning alone, of the tree that the other has grown"

    def train(self, native: Data, limits: Limits) -> Any:
        """Grow, and prune against the clock."""
        from ramify import prune

        grown = super().train(native, limits)
        begin = time.perf_counter()
        model = prune(grown)
        model.benchmark_seconds_ = time.perf_counter() - begin
        return model

    def own_seconds(self, model: Any) -> float | None:
        """The pruning alone."""
        return float(model.benchmark_seconds_)
