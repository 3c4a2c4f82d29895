"""Small samples with missing values, and models of them beside the rules of the reference."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from hypothesis import assume
from hypothesis import strategies as st

from ramify import TreeClassifier, list_criteria
from reference import missing as reference

CRITERIA = {info.name: info for info in list_criteria()}
WAYS = reference.WAYS
ORDERS = (None, 0.5, 1.0, 2.0, 3.3)


@dataclass
class Sample:
    """Columns of floats with NaN for what is missing (codes where nominal), labels and weights."""

    columns: list
    kinds: list
    sizes: list  # declared categories, None for numbers
    y: np.ndarray
    weights: np.ndarray | None

    @property
    def frame(self):
        return make_frame(self.columns, self.kinds, self.sizes)

    @property
    def n_classes(self):
        return int(self.y.max()) + 1

    @property
    def own_weights(self):
        return np.ones(len(self.y)) if self.weights is None else self.weights

    def take(self, rows):
        """The sample of these rows, in this order."""
        weights = None if self.weights is None else self.weights[rows]
        return Sample([x[rows] for x in self.columns], self.kinds, self.sizes, self.y[rows], weights)


def make_frame(columns, kinds, sizes):
    """A frame; categories v0, v1, ... are declared, a code beyond them is a category of another name."""
    made = {}
    for i, (x, kind, size) in enumerate(zip(columns, kinds, sizes, strict=True)):
        if kind == "numeric":
            made[f"c{i}"] = x
            continue
        known = int(np.nanmax(x, initial=-1)) + 1
        codes = np.where(np.isnan(x), -1, x).astype(int)
        names = [f"v{j}" for j in range(max(size, known))]
        made[f"c{i}"] = pd.Categorical.from_codes(codes, categories=names)
    return pd.DataFrame(made)


def gaps(rng, x, share):
    """The column with about this share of its values missing."""
    return np.where(rng.random(len(x)) < share, np.nan, x)


@st.composite
def samples(
    draw, max_rows=24, max_columns=2, weights=("none", "whole", "real"), shares=(0, 0.1, 0.4, 0.8, 1)
):
    """Numbers of few values, up to six declared categories, and labels that all occur."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = draw(st.integers(4, max_rows))
    kinds = draw(st.lists(st.sampled_from(["numeric", "nominal"]), min_size=1, max_size=max_columns))
    columns, sizes = [], []
    for kind in kinds:
        size = draw(st.integers(1, 7 if kind == "numeric" else 6))
        values = rng.integers(0, size, size=rows).astype(float)
        columns.append(gaps(rng, values, draw(st.sampled_from(shares))))
        sizes.append(None if kind == "numeric" else size)
    labels = np.unique(rng.integers(0, draw(st.integers(2, 4)), size=rows), return_inverse=True)[1]
    assume(labels.max() >= 1)
    by_row = {
        "none": None,
        "whole": rng.integers(1, 4, size=rows).astype(float),
        "real": rng.random(rows) + 0.1,
    }[draw(st.sampled_from(weights))]
    return Sample(columns, kinds, sizes, labels, by_row)


@st.composite
def options(draw):
    """Limits of a tree, by their names in `TreeClassifier`."""
    return {
        "q": draw(st.sampled_from(ORDERS)),
        "min_samples_leaf": draw(st.sampled_from([1, 1, 3])),
        "min_support": draw(st.sampled_from([None, None, 2])),
        "min_impurity_decrease": draw(st.sampled_from([0.0, 0.0, 0.0, 0.01])),
    }


def fit(sample, way, criterion="gain", q=None, **settings):
    """The tree of a sample; an order goes only to the criteria that take one."""
    order = q if CRITERIA[criterion].takes_order else None
    model = TreeClassifier(criterion, q=order, missing=way, **settings)
    return model.fit(sample.frame, sample.y, sample_weight=sample.weights)


def rules_of(sample, model):
    """The rules that a model was grown by."""
    return reference.Rules(
        way=model.missing,
        criterion=model.criterion,
        q=model.q,
        branching=model.branching,
        kinds=sample.kinds,
        sizes=sample.sizes,
        n_classes=sample.n_classes,
        min_samples_leaf=model.min_samples_leaf,
        min_samples_split=model.min_samples_split,
        max_depth=model.max_depth,
        min_support=model.min_support or 0,
        min_impurity_decrease=model.min_impurity_decrease,
        n_all=float(sample.own_weights.sum()),
        one_case=reference.one_case(sample.own_weights[sample.own_weights > 0]),
    )


def new_columns(rng, sample, rows=40, share=0.35):
    """Rows to predict: values beside those of the sample, missing ones everywhere, categories never seen."""
    columns = []
    for kind, size in zip(sample.kinds, sample.sizes, strict=True):
        low, high = (-1, 9) if kind == "numeric" else (0, size + 2)
        values = rng.integers(low, high, size=rows).astype(float)
        columns.append(gaps(rng, values + (0.25 if kind == "numeric" else 0), share))
    return columns


def mixed(rows=300, seed=0, share=0.2):
    """A larger sample of two numeric and two nominal columns that say something of the label."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, size=rows)
    columns = [
        np.round(rng.normal(size=rows) + y, 1),
        rng.integers(0, 9, size=rows) + y.astype(float),
        (rng.integers(0, 3, size=rows) + y).astype(float),
        rng.integers(0, 4, size=rows).astype(float),
    ]
    kinds, sizes = ["numeric", "numeric", "nominal", "nominal"], [None, None, 6, 4]
    return Sample([gaps(rng, x, share) for x in columns], kinds, sizes, y, None)
