"""Approximate quantiles in one pass, by Apache DataSketches' KLL sketch.

KLL draws at random which numbers it keeps, so that its quantiles depend on the partitions, on the order in
which they are merged, and on chance. Of each cut the share of rows below it is right within `RANK_ERROR`,
with a confidence of 99%.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify._encoding import Blocks

#: The size of a sketch: about three times as many numbers are kept.
K = 8192

#: Of the rank of a number by a sketch of that size, as DataSketches states it for a confidence of 99%.
RANK_ERROR = 0.00036


def need_datasketches() -> Any:
    """Return the library.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    try:
        import datasketches
    except ImportError:
        raise ImportError(
            'quantiles="sketch" needs DataSketches, on the workers of a cluster too: '
            'pip install "ramify[sketch]".'
        ) from None
    return datasketches


class QuantileSketch:
    """The numbers of a column in a sketch: what a `KeyHistogram` is to exact quantiles."""

    def __init__(self) -> None:
        self._kll = need_datasketches().kll_doubles_sketch(K)

    def count(self, blocks: Blocks, rows: int, weights: NDArray[np.float64] | None) -> None:
        """Add the numbers of a column."""
        if weights is not None:
            raise RuntimeError("a sketch counts every row once")
        for numbers, _, _ in blocks:
            known = numbers[~np.isnan(numbers)]
            known.sort()  # the sketch sorts what it is given, and NumPy does so in less than half the time
            self._kll.update(known.astype(np.float64, copy=False))

    def add(self, other: QuantileSketch) -> None:
        """Add those of other rows."""
        self._kll.merge(other._kll)

    def points(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the numbers that are kept and the greatest, in order, and for how many rows each stands."""
        points = np.array(list(self._kll), dtype=np.float64).reshape(-1, 2)
        if len(points):
            # Of no weight, so that there is something behind the last number that is kept.
            points = np.vstack([points, (self._kll.get_max_value(), 0.0)])
        points = points[np.argsort(points[:, 0], kind="stable")]
        return np.ascontiguousarray(points[:, 0]), np.ascontiguousarray(points[:, 1])

    def __getstate__(self) -> bytes:
        return bytes(self._kll.serialize())

    def __setstate__(self, state: bytes) -> None:
        self._kll = need_datasketches().kll_doubles_sketch.deserialize(state)
