"""R's generator, against what R prints."""

import numpy as np
import pytest

from ramify.experiments._r_random import RRandom

# set.seed(s); rnorm(3) and runif(3), as R prints them.
NORMAL = {
    1: [-0.6264538, 0.1836433, -0.8356286],
    42: [1.37095845, -0.56469817, 0.36312841],
    123: [-0.56047565, -0.23017749, 1.55870831],
}
UNIFORM = {
    1: [0.2655087, 0.3721239, 0.5728534],
    42: [0.9148060, 0.9370754, 0.2861395],
    123: [0.2875775, 0.7883051, 0.4089769],
}


@pytest.mark.parametrize("seed", sorted(NORMAL))
def test_normal_and_uniform(seed):
    assert RRandom(seed).normal(3) == pytest.approx(NORMAL[seed], abs=6e-8)
    assert RRandom(seed).uniform(3) == pytest.approx(UNIFORM[seed], abs=6e-8)


def test_the_stream_goes_on():
    one, other = RRandom(7), RRandom(7)
    first = np.concatenate([one.normal(5), one.normal(7, 3, 2)])
    assert np.array_equal(first, np.concatenate([other.normal(5), 3 + 2 * other.normal(7)]))


def test_uniform_is_never_0_or_1():
    values = RRandom(5).uniform(200_000)
    assert values.min() > 0
    assert values.max() < 1
    assert values.mean() == pytest.approx(0.5, abs=0.005)
