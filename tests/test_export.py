"""Trees as text."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from ramify import TreeClassifier, datasets, export_text


def test_a_binary_tree_with_categories_by_name():
    X, y = datasets.load("titanic", return_X_y=True)
    text = export_text(TreeClassifier(max_depth=2).fit(X, y))
    assert text.splitlines() == [
        "2,201 cases: no 68%, yes 32%",
        "├─ sex = female: 470 cases: yes 73%, no 27%",
        "│  ├─ status in {crew, first, second}: 274 cases -> yes (93%)",
        "│  └─ status = third: 196 cases -> no (54%)",
        "└─ sex = male: 1,731 cases: no 79%, yes 21%",
        "   ├─ age = adult: 1,667 cases -> no (80%)",
        "   └─ age = child: 64 cases -> no (55%)",
    ]


def test_empty_branches_say_so():
    X, y = datasets.load("titanic", return_X_y=True)
    text = export_text(TreeClassifier("gain_ratio", branching="multiway").fit(X, y))
    assert "status = crew: no cases -> no (like the node above)" in text


def test_numbers_weights_and_names_of_arrays():
    X = np.array([[0.1], [0.2], [0.35], [5.0]])
    model = TreeClassifier().fit(X, ["a", "a", "b", "b"], sample_weight=[1, 0.5, 1, 1])
    assert export_text(model, digits=3).splitlines() == [
        "3.5 cases: b 57%, a 43%",
        "├─ x0 <= 0.275: 1.5 cases -> a (100%)",
        "└─ x0 > 0.275: 2 cases -> b (100%)",
    ]


def test_long_lists_of_categories_are_cut():
    codes = np.repeat(np.arange(30), 3)
    X = pd.DataFrame({"city": pd.Categorical.from_codes(codes, [f"c{i:02}" for i in range(30)])})
    text = export_text(TreeClassifier().fit(X, codes % 2), max_categories=3)
    assert "city in {c00, c02, c04, ... 12 more}" in text


def test_counts_are_easy_to_read():
    codes = np.repeat(np.arange(3000), 2)
    X = pd.DataFrame({"city": pd.Categorical.from_codes(codes, [f"c{i:04}" for i in range(3000)])})
    lines = export_text(TreeClassifier().fit(X, codes % 2)).splitlines()
    assert lines[0] == "6,000 cases: 0 50%, 1 50%"
    assert lines[1].endswith("c0014, ... 1,492 more}: 3,000 cases -> 0 (100%)")
    deep = TreeClassifier("distance").fit(np.arange(2001.0)[:, None], np.arange(2001) % 2)
    below = deep.tree_.node_count - 1
    assert export_text(deep, max_depth=0).splitlines()[1] == f"└─ ... {below:,} nodes below"


def test_depth_limit_counts_what_it_hides():
    X, y = datasets.load("tic-tac-toe", return_X_y=True)
    model = TreeClassifier().fit(X, y)
    text = export_text(model, max_depth=1)
    hidden = sum(int(line.split()[-3]) for line in text.splitlines() if "nodes below" in line)
    assert hidden + 3 == model.tree_.node_count


def test_very_deep_trees():
    """A chain of 3000 levels: deeper than Python's stack."""
    x = np.arange(6001.0)[:, None]
    model = TreeClassifier("distance").fit(x, np.arange(6001) % 2)
    assert model.get_depth() > 2000
    assert len(export_text(model).splitlines()) == model.tree_.node_count


def test_not_fitted():
    with pytest.raises(NotFittedError):
        export_text(TreeClassifier())


def test_missing_values_are_counted_where_they_part():
    X = pd.DataFrame({"age": [20.0, 30.0, np.nan, 50.0, 60.0]})
    y = ["no", "no", "yes", "yes", "yes"]
    first = export_text(TreeClassifier().fit(X, y)).splitlines()[0]
    assert first == "5 cases: yes 60%, no 40% (age missing in 1)"
    lines = export_text(TreeClassifier(missing="own_branch").fit(X, y)).splitlines()
    assert lines[-1] == "└─ age is missing: 1 case -> yes (100%)"
