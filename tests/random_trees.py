"""Trees to prune: random ones on data with missing values, grown by no criterion, and a very deep one."""

import numpy as np

from ramify import _core
from reference import pruning as slow


def random_data(rng, rows, missing=0.15, weights="unit"):
    y = rng.integers(0, 3, rows)
    helpful = (y + (rng.random(rows) < 0.25) * rng.integers(0, 3, rows)) % 3
    columns = [
        rng.integers(0, 8, rows).astype(float),
        helpful + rng.normal(0, 0.4, rows),
        np.where(rng.random(rows) < 0.7, helpful, rng.integers(0, 4, rows)).astype(np.int32),
        rng.integers(0, 5, rows).astype(np.int32),
    ]
    for column, mark in zip(columns, (np.nan, np.nan, -2, -2), strict=True):
        column[rng.random(rows) < missing] = mark
    w = {
        "unit": np.ones(rows),
        "whole": rng.integers(1, 4, rows).astype(float),
        "real": rng.random(rows) + 0.1,
    }[weights]
    return slow.Data(columns, [0, 0, 4, 5], y.astype(np.uint32), w, 3)


def random_split(rng, data, node, cases):
    """Give a node a random split; the children are empty so far. False if it parts nothing."""
    column = int(rng.integers(len(data.columns)))
    categories = data.n_categories[column]
    values = [data.columns[column][row] for row, _ in cases if not slow.is_missing(data, column, row)]
    if len(set(values)) < 2:
        return False
    branches = 2
    if not categories:
        node.kind, node.threshold = slow.THRESHOLD, float(rng.choice(sorted(set(values))[:-1]))
    elif rng.random() < 0.5:
        node.kind, branches, node.routes = slow.MULTIWAY, categories, list(range(categories))
    else:
        node.kind = slow.SUBSET
        node.routes = [int(r) for r in rng.integers(0, 2, categories)]
        node.routes[int(values[0])] = 0
        node.routes[int(next(v for v in values if v != values[0]))] = 1
    node.column = column
    node.missing_route = slow.EVERY if rng.random() < 0.7 else int(rng.integers(branches))
    node.children = [slow.Node(np.zeros(data.n_classes), 0) for _ in range(branches)]
    return True


def random_tree(rng, data, cases, depth):
    node = slow.Node(data.counts(cases), len(cases))
    if depth == 0 or len(cases) < 3 or not random_split(rng, data, node, cases):
        return node
    node.score = float(rng.random())
    sets, known, node.unknown = slow.divide(data, node, cases)
    node.gain = slow.known_gain(known, node.unknown)
    node.children = [random_tree(rng, data, part, depth - 1) for part in sets]
    return node


def sample(seed, rows=60, depth=4, **kinds):
    rng = np.random.default_rng(seed)
    data = random_data(rng, rows, **kinds)
    return data, random_tree(rng, data, data.cases(), depth)


def to_core(root, data):
    core = _core.Tree.from_arrays(slow.to_arrays(root), data.n_classes)
    assert core.problem(data.n_categories) == ""
    return core


def assert_is(core, expected, data):
    """The core's tree is valid and the expected one, array by array."""
    assert core.problem(data.n_categories) == ""
    found, wanted = core.arrays(), slow.to_arrays(expected)
    for name, values in wanted.items():
        if name in ("counts", "impurity", "unknown", "gain"):
            np.testing.assert_allclose(found[name], values, rtol=1e-9, atol=1e-9, err_msg=name)
        else:
            np.testing.assert_array_equal(found[name], values, err_msg=name)


def to_nodes(core):
    return slow.from_arrays(core.arrays())


def chain(length):
    """A tree that cuts off one case after the other, of two classes in turn; its numbers and its classes."""
    y = np.arange(length + 1) % 2
    inner = np.concatenate(([0], 2 * np.arange(1, length)))  # every right child goes on, the last one ends
    spine = np.append(inner, 2 * length)
    nodes = 2 * length + 1
    counts = np.zeros((nodes, 2))
    counts[spine] = np.cumsum(np.eye(2)[y][::-1], axis=0)[::-1]
    counts[2 * np.arange(length) + 1] = np.eye(2)[y[:-1]]
    splits = np.isin(np.arange(nodes), inner)
    values = {
        "first_child": np.full(nodes, -1),
        "n_children": splits * 2,
        "parent": np.concatenate(([-1], np.repeat(inner, 2))),
        "column": splits * 1 - 1,
        "kind": splits * slow.THRESHOLD,
        "threshold": np.zeros(nodes),
        "missing_route": splits * 1 - 1,
        "counts": counts,
        "n_rows": counts.sum(axis=1),
        "impurity": 1 - ((counts / counts.sum(axis=1, keepdims=True)) ** 2).sum(axis=1),
        "exact": np.ones(nodes),
    }
    values["first_child"][inner] = 2 * np.arange(length) + 1
    values["threshold"][inner] = np.arange(length) + 0.5
    arrays = slow.to_arrays(slow.Node(np.ones(2), 2))
    for name, one in arrays.items():
        if len(one):  # all but the pools, which stay empty
            arrays[name] = np.ascontiguousarray(values.get(name, np.zeros(nodes)), dtype=one.dtype)
    return _core.Tree.from_arrays(arrays, 2), np.arange(length + 1.0), y.astype(np.uint32)
