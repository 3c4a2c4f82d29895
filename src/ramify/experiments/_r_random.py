"""R's random numbers: its default generator, and normal deviates by inversion.

R scrambles the seed by a linear congruential generator, fills the state of a Mersenne Twister with it,
and takes a normal deviate as the quantile of a number of 54 random bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

_WORD = 2**32
#: What R multiplies a word of 32 bits by: just below 1 / (2^32 - 1).
_STEP = 2.3283064365386963e-10
_BIG = 134217728


class RRandom:
    """The stream that ``set.seed(seed)`` starts.

    Examples
    --------
    >>> from ramify.experiments._r_random import RRandom
    >>> RRandom(42).uniform(2).round(7)
    array([0.914806 , 0.9370754])
    >>> RRandom(42).normal(2).round(7)
    array([ 1.3709584, -0.5646982])
    """

    def __init__(self, seed: int) -> None:
        word = seed % _WORD
        for _ in range(50):
            word = (69069 * word + 1) % _WORD
        words = []
        for _ in range(625):
            word = (69069 * word + 1) % _WORD
            words.append(word)
        self._words = np.random.MT19937()
        # The first word is the place in the state, which R sets to its end.
        key = np.array(words[1:], dtype=np.uint32)
        self._words.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": 624}}

    def uniform(self, n: int) -> NDArray[np.float64]:
        """Return what ``runif(n)`` does."""
        values = self._words.random_raw(n).astype(np.float64) * _STEP
        return np.clip(values, 0.5 * _STEP, 1 - 0.5 * _STEP)

    def normal(self, n: int, mean: float = 0.0, sd: float = 1.0) -> NDArray[np.float64]:
        """Return what ``rnorm(n, mean, sd)`` does, to about 14 digits."""
        high, low = self.uniform(2 * n).reshape(n, 2).T
        deviates: NDArray[np.float64] = ndtri((np.floor(_BIG * high) + low) / _BIG)
        return mean + sd * deviates
