"""Models whose pages the tests of the explorer open."""

import base64
import json
import re
import zlib
from functools import cache

from sklearn.datasets import load_wine

from ramify import TreeClassifier, datasets, q_path, view


@cache
def play():
    """Few nominal columns, split into many branches: the model, X and y."""
    X, y = datasets.load("buys_computer", return_X_y=True)
    return TreeClassifier(q=1, branching="multiway", n_runner_ups=2).fit(X, y), X, y


@cache
def wine():
    """Numbers, and a tree of some depth: the model, X and y."""
    data = load_wine(as_frame=True)
    y = data.target_names[data.target]
    return TreeClassifier(n_runner_ups=2).fit(data.data, y), data.data, y


@cache
def wine_path():
    """The trees of several q on the same data."""
    _, X, y = wine()
    return q_path(X, y, qs=[0.2, 0.5, 1, 2, 4, 8], cv=5, n_repeats=1, n_runner_ups=1, min_samples_leaf=2)


def write_pages(folder):
    """Write the pages of all of them."""
    for name, (model, X, y) in {"play": play(), "wine": wine()}.items():
        view(model, folder / f"{name}.html", X=X, y=y, title=name)
    view(wine_path(), folder / "path.html", X=wine()[1], y=wine()[2])


def data_of(page):
    """The data of a page, unpacked."""
    letters = re.search(r'id="ramify-data" type="text/plain">([^<]*)<', getattr(page, "html", page))[1]
    return json.loads(zlib.decompress(base64.b64decode(letters)))
