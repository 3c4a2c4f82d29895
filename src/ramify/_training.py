"""The rows that a tree is grown from, as the core reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify._encoding import Blocks


@dataclass(frozen=True)
class TrainingRows:
    """Labelled rows: columns, class numbers, and weights or None if all count once."""

    blocks: Blocks
    numbers: NDArray[np.uint32]
    weights: NDArray[np.float64] | None = None

    def take(self, which: NDArray[Any]) -> TrainingRows:
        """Return some of the rows, by a mask or by their numbers."""
        blocks = [(values[which], n, missing) for values, n, missing in self.blocks]
        weights = None if self.weights is None else self.weights[which]
        return TrainingRows(blocks, self.numbers[which], weights)
