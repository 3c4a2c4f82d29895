"""The trees of Simovici and Jaroszewicz's experiments: J48, and J48 with generalised distances."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ramify import C45, TreeClassifier, c45
from ramify.experiments._weka_folds import weka_folds
from ramify.experiments.journal import Unit
from ramify.experiments.reproduce import _sets

N_FOLDS = 5
#: Weka's own default.
SEED = 1

#: What the modified J48 did: the attribute by e, its cut by d (the last of equal ones), by known cases alone,
#: and neither a gate nor a correction.
MODIFIED = replace(
    C45,
    cut_criterion="distance",
    mdl_correction=False,
    average_gain_gate=False,
    unknown_is_outcome=False,
    known_cases_only=True,
    last_of_equal_cuts=True,
)

#: By the name of a unit: the criterion by which columns compete.
CRITERIA = {"e": "normalized_distance", "d": "distance"}


def make(kind: str, beta: float) -> TreeClassifier:
    """Return the unfitted tree: "J48", or "e" or "d" with the order `beta`."""
    if kind == "J48":
        return c45()
    return c45(criterion=CRITERIA[kind], q=beta, dialect=MODIFIED)


def run_unit(unit: Unit) -> dict[str, list[float]]:
    """Return accuracy, nodes and leaves of the tree of each fold.

    A unit is (set, kind, beta); that of J48 is 1.
    """
    import pandas as pd

    name, kind, beta = unit
    data = _sets.load(str(name))
    y = pd.Categorical(data.y, categories=list(data.classes))
    found: dict[str, list[float]] = {"accuracy": [], "nodes": [], "leaves": []}
    for train, test in weka_folds(np.asarray(y.codes, dtype=np.intp), N_FOLDS, SEED):
        model = make(str(kind), float(beta)).fit(data.X.iloc[train], y[train])
        found["accuracy"].append(100.0 * float(np.mean(model.predict(data.X.iloc[test]) == data.y[test])))
        found["nodes"].append(float(model.tree_.node_count))
        found["leaves"].append(float(model.tree_.n_leaves))
    return found
