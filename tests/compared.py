"""What the tests of comparisons compare: small runs, data sets that differ, classifiers that note or fail."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from ramify import TreeClassifier
from samples import numbers

SMALL = {"cv": 3, "n_repeats": 2}
PAIR = {"one": TreeClassifier(max_depth=1), "deep": TreeClassifier(q=1)}


def several(n=6, rows=90):
    """Data sets that differ."""
    return {f"set {i}": numbers(rows=rows, seed=i) for i in range(n)}


class Recorder(ClassifierMixin, BaseEstimator):
    """A classifier that notes which rows it is trained on and asked about."""

    seen: list = []  # noqa: RUF012

    def __init__(self, name="a"):
        self.name = name

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.seen.append((self.name, "train", tuple(X[:, 0])))
        return self

    def predict(self, X):
        self.seen.append((self.name, "test", tuple(X[:, 0])))
        return np.repeat(self.classes_[0], len(X))


class Fails(ClassifierMixin, BaseEstimator):
    """A classifier that fails when it meets the number `on`, or interrupts the run."""

    def __init__(self, on=0.0, interrupt=False):
        self.on = on
        self.interrupt = interrupt

    def fit(self, X, y):
        if self.interrupt:
            raise KeyboardInterrupt
        if (np.asarray(X)[:, 0] == self.on).any():
            raise ValueError(f"no {self.on}, please\nand a second line")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[0], len(X))
