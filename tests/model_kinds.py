"""Models of every kind that a file must keep, each small, with rows to predict.

``python tests/model_kinds.py`` writes those that are not yet there, in the format of this version, to
``tests/models``. What is there is never written again: it must load forever.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from ramify import (
    C45,
    Dialect,
    TreeClassifier,
    TreeClassifierCV,
    c45,
    id3,
    load_model,
    prune,
    save_model,
)

FOLDER = Path(__file__).parent / "models"


def people(rows=160, seed=3, gaps=0.0):
    """Numbers, strings, whole-number categories and booleans that say something of a label 0, 1 or 2."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, rows)
    frame = pd.DataFrame(
        {
            "age": np.round(30 + 12 * y + rng.normal(0, 9, rows), 1),
            'town "x"': pd.Series(
                np.array(["Rom", "Köln", "O'Hare", "a;b"])[(y + rng.integers(0, 2, rows)) % 4]
            ),
            "size": pd.Categorical((y + rng.integers(0, 3, rows)) % 5, categories=range(6)),
            "member": pd.Series(rng.random(rows) < 0.25 + 0.25 * y),
            "noise": rng.integers(0, 20, rows).astype(float),
        }
    )
    for column in frame if gaps else ():
        holes = rng.random(rows) < gaps
        if column == "member":
            frame[column] = frame[column].astype(object)
        frame.loc[holes, column] = None
    return frame, y


def unseen(rows=60, seed=8):
    """Rows to predict, with gaps everywhere, numbers beside the known ones and unseen categories."""
    frame, _ = people(rows, seed, gaps=0.25)
    frame["size"] = frame["size"].astype(object)
    frame.loc[::7, "size"] = 99
    frame.loc[1::9, 'town "x"'] = "Atlantis"
    frame.loc[2::11, "age"] = 1e6
    return frame


def array(rows=120, seed=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int) + (X[:, 2] > 1)


def _mixed(gaps=0.0, labels=("none", "some", "all"), **parameters):
    X, y = people(gaps=gaps)
    model = TreeClassifier(**({"max_depth": 4, "min_samples_leaf": 4} | parameters))
    return model.fit(X, np.array(labels)[y]), unseen()


def _numbers(labels=None, **parameters):
    X, y = array()
    y = y if labels is None else np.array(labels, dtype=getattr(labels, "dtype", None))[y % len(labels)]
    return TreeClassifier(**({"max_depth": 4} | parameters)).fit(X, y), array(40, 6)[0]


def _one_node():
    return TreeClassifier(min_samples_leaf=100).fit([[1.0], [2.0], [4.0]], ["a", "a", "b"]), np.array([[3.0]])


def _c45(**parameters):
    X, y = people(gaps=0.1)
    labels = pd.Categorical.from_codes(y, ["low", "mid", "top", "never"])
    return c45(**parameters).fit(X, labels), unseen()


def _weights():
    X, y = people(gaps=0.1)
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    model = TreeClassifier(max_depth=4, class_weight={0: 3.0, 2: 0.25}, smoothing=1.5, n_runner_ups=2)
    return model.fit(X, y, sample_weight=weight), unseen()


def _chosen_order():
    X, y = array()
    return TreeClassifierCV(qs=[0.5, 1, 3], cv=3, min_samples_leaf=[2, 5]).fit(X, y), array(40, 6)[0]


def _pruned(method, **options):
    model, rows = _mixed(gaps=0.1, max_depth=7, min_samples_leaf=1)
    return prune(model, method, **options), rows


def _reduced_error():
    X, y = people(gaps=0.1)
    return TreeClassifier(pruning="reduced_error", random_state=4).fit(X, y), unseen()


#: A name for each kind, and how to make it: a fitted model and rows.
KINDS = {
    "numeric": _numbers,
    "quantile": lambda: _numbers(cuts="quantile", max_bins=8),
    "gaussian": lambda: _numbers(cuts="gaussian"),
    "one-node": _one_node,
    "nominal-binary": _mixed,
    "nominal-multiway": lambda: _mixed(branching="multiway"),
    "missing-fractional": lambda: _mixed(gaps=0.2),
    "missing-fractional-multiway": lambda: _mixed(gaps=0.2, branching="multiway", criterion="gain_ratio"),
    "missing-best-branch": lambda: _mixed(gaps=0.2, missing="best_branch"),
    "missing-own-branch": lambda: _mixed(gaps=0.2, missing="own_branch"),
    "missing-own-branch-multiway": lambda: _mixed(gaps=0.2, missing="own_branch", branching="multiway"),
    "id3": lambda: (id3(max_depth=3).fit(*people()), unseen()),
    "c45": _c45,
    "c45-unpruned": lambda: _c45(pruning=None),
    "dialect": lambda: _mixed(gaps=0.1, dialect=Dialect(merging=True, tie_tolerance=1e-6)),
    "dialect-c45": lambda: _c45(dialect=C45, smoothing="laplace"),
    "cost-matrix": lambda: _mixed(gaps=0.1, cost_matrix=[[0, 1, 9], [2, 0, 1], [3, 3, 0]]),
    "runner-ups": lambda: _mixed(gaps=0.1, n_runner_ups=3),
    "runner-ups-multiway": lambda: _mixed(n_runner_ups=2, branching="multiway", missing="own_branch"),
    "weights": _weights,
    "balanced": lambda: _mixed(gaps=0.1, class_weight="balanced"),
    "split-order": lambda: _mixed(split_order=["size", None, "age"], categorical_features=[1, 2, 3]),
    "chosen-order": _chosen_order,
    "pruned-merge": lambda: _pruned("merge"),
    "pruned-pessimistic": lambda: _pruned("pessimistic"),
    "pruned-cost-complexity": lambda: _pruned("cost_complexity", ccp_alpha=0.01),
    "pruned-reduced-error": _reduced_error,
    "ccp-by-folds": lambda: _mixed(gaps=0.1, ccp_alpha="cv", random_state=1),
    "classes-bool": lambda: _numbers([True, False]),
    "classes-negative": lambda: _numbers([-3, 10**12]),
    "classes-float": lambda: _numbers([0.0, 2.0, 5.0]),
    "classes-int8": lambda: _numbers(np.array([7, -8], dtype=np.int8)),
    "classes-unicode": lambda: _numbers(['naïve "quoted"', "日本", "'; --"]),
    "classes-mixed": lambda: _numbers(np.array([1, "one", 2.0], dtype=object)),
}


def to_json(rows):
    """Rows as JSON: a list for an array, a dict of columns for a frame; None is a missing value."""
    if isinstance(rows, np.ndarray):
        return rows.tolist()
    return {
        name: [None if pd.isna(v) else getattr(v, "item", lambda v=v: v)() for v in column]
        for name, column in rows.items()
    }


def from_json(rows, model):
    """The rows again, for a model."""
    if isinstance(rows, list):
        return np.array(rows)
    nominal = {column.name: column.nominal for column in model.schema_.columns}
    return pd.DataFrame(
        {name: pd.Series(v, dtype=object if nominal[name] else float) for name, v in rows.items()}
    )


def write_new(version, folder=FOLDER):
    """Write the kinds that have no file yet."""
    for name, make in KINDS.items():
        path = folder / f"{name}.v{version}.json"
        if path.exists():
            continue
        model, rows = make()
        save_model(model, path)
        expected = {
            "rows": to_json(rows),
            "predict": model.predict(rows).tolist(),
            "predict_proba": model.predict_proba(rows).tolist(),
        }
        answers = folder / f"{name}.v{version}.expected.json"
        answers.write_text(json.dumps(expected, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    import inspect

    from ramify import model_file

    print(f"format {model_file.VERSION}, read by {inspect.getfile(load_model)}")
    write_new(model_file.VERSION)
