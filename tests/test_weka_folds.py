"""Weka 3.2's folds: Java's generator, the shuffle and the stratification."""

import numpy as np
import pytest

from ramify.experiments._weka_folds import JavaRandom, weka_folds, weka_order


@pytest.mark.parametrize(
    ("seed", "doubles"),
    [
        # As Java prints new Random(seed).nextDouble(), three times.
        (42, [0.7275636800328681, 0.6832234717598454, 0.30871945533265976]),
        (0, [0.730967787376657, 0.24053641567148587, 0.6374174253501083]),
        (1, [0.7308781907032909, 0.41008081149220166, 0.20771484130971707]),
    ],
)
def test_java_random(seed, doubles):
    random = JavaRandom(seed)
    assert [random.next_double() for _ in doubles] == doubles


@pytest.mark.parametrize("n_folds", [2, 3, 5, 10])
@pytest.mark.parametrize("rows", [11, 50, 157])
def test_folds_part_the_rows_and_are_stratified(rows, n_folds):
    classes = np.random.default_rng(rows).integers(0, 3, rows)
    folds = list(weka_folds(classes, n_folds, seed=1))
    tests = np.concatenate([test for _, test in folds])
    assert sorted(tests.tolist()) == list(range(rows))
    sizes = [len(test) for _, test in folds]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] - sizes[-1] <= 1
    shares = np.array([np.bincount(classes[test], minlength=3) for _, test in folds])
    # Every class is dealt out in turn; a fold's end may fall one row beside that of its deal.
    assert (shares.max(axis=0) - shares.min(axis=0)).max() <= 3
    for train, test in folds:
        assert sorted([*train, *test]) == list(range(rows))


def test_the_order_by_hand():
    """Four rows: swap 3 with int(0.7308 * 3) = 2, 2 with int(0.41 * 2) = 0, 1 with int(0.2 * 1) = 0.

    That is 1, 3, 0, 2; all of one class, so nothing is swapped, and two folds take every other row.
    """
    assert weka_order(np.zeros(4, dtype=int), 2, seed=1).tolist() == [1, 0, 3, 2]


def test_the_seed_matters():
    classes = np.arange(40) % 3
    assert weka_order(classes, 5, 1).tolist() == weka_order(classes, 5, 1).tolist()
    assert weka_order(classes, 5, 1).tolist() != weka_order(classes, 5, 2).tolist()
