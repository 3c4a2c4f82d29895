"""Subtrees of many trees, each different one kept once.

The trees of neighbouring q have most of their branches in common. A subtree is a split, the class counts of
its root and the subtrees below; equal ones have one number, so a tree is the number of its root. Nodes get
their own numbers back by walking a tree level by level, as the model's are given.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify._conditions import branch_texts
from ramify.estimator import TreeClassifier
from ramify.schema import Schema
from ramify.tree import KINDS, Tree
from ramify.viewer.texts import Texts


def exact(value: float) -> float:
    """Return a number as JSON should keep it: without loss, and whole numbers without a point."""
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


class SubtreePool:
    """The different subtrees of all trees that were added.

    Parameters
    ----------
    schema : Schema
        Of all trees.
    texts : Texts
        Where the words for branches go.
    """

    def __init__(self, schema: Schema, texts: Texts) -> None:
        self._schema = schema
        self._texts = texts
        self._split_of: dict[Any, int] = {}
        self._node_of: dict[Any, int] = {}
        self._splits: dict[str, list[Any]] = {
            name: [] for name in ("column", "kind", "threshold", "routes", "missing", "words")
        }
        self._nodes: dict[str, list[Any]] = {
            name: [] for name in ("split", "rows", "unknown", "present", "counts", "children")
        }
        self._parts: list[float] | None = None

    def add(self, model: TreeClassifier) -> int:
        """Add the tree of a model and return the number of its root in the pool."""
        tree = model.tree_
        splits = self._splits_of(tree)
        rows, unknown = tree.n_rows.tolist(), tree.unknown.tolist()
        first, many = tree.first_child.tolist(), tree.n_children.tolist()
        # What nodes weigh to a case in parts is what their counts say, unless there are class weights.
        parts = None if model._answers.part_weights is None else model._answers.part_weights.tolist()
        number = [0] * tree.node_count
        # Children have higher numbers than their parents, so they are there when a parent asks for them.
        for node in reversed(range(tree.node_count)):
            children = tuple(number[first[node] : first[node] + many[node]]) if many[node] else ()
            counts = tree.counts[node]
            key = (splits[node], rows[node], unknown[node], counts.tobytes(), children)
            found = self._node_of.get(key)
            if found is None:
                found = self._node_of[key] = len(self._node_of)
                present = np.flatnonzero(counts).tolist()
                values = [exact(value) for value in counts[present].tolist()]
                record = (splits[node], rows[node], exact(unknown[node]), present, values, children)
                for column, value in zip(self._nodes.values(), record, strict=True):
                    column.append(value)
                if parts is not None:
                    self._parts = self._parts or []
                    self._parts.append(exact(parts[node]))
            number[node] = found
        return number[0]

    def _splits_of(self, tree: Tree) -> list[int]:
        """Return the number of each node's split, -1 for a leaf."""
        arrays = (tree.kind, tree.column, tree.threshold, tree.missing_route, tree.unknown)
        found = []
        for node, (kind, column, cut, route, unknown) in enumerate(
            zip(*(array.tolist() for array in arrays), strict=True)
        ):
            if KINDS[kind] == "leaf":
                found.append(-1)
                continue
            threshold = cut if KINDS[kind] == "threshold" else None
            routes = tree.routes_of(node).tobytes() if KINDS[kind] in ("subset", "multiway") else None
            # The words for a branch say where missing values go, if there were any.
            key = (column, kind, threshold, routes, route, unknown > 0)
            if key not in self._split_of:
                self._split_of[key] = len(self._split_of)
                self._keep_split(tree, node, (column, kind, threshold, routes, route))
            found.append(self._split_of[key])
        return found

    def _keep_split(self, tree: Tree, node: int, key: tuple[Any, ...]) -> None:
        column, kind, threshold, routes, route = key
        begin = len(self._schema.columns[column].name) + 1  # the page says the column by itself
        words = [self._texts.add(text[begin:]) for text in branch_texts(self._schema, tree, node)]
        listed = None if routes is None else tree.routes_of(node).tolist()
        for values, value in zip(
            self._splits.values(), (column, kind, threshold, listed, route, words), strict=True
        ):
            values.append(value)

    def data(self) -> dict[str, Any]:
        """Return the pool as lists, one element a split or a subtree."""
        return {"splits": self._splits, "nodes": self._nodes | {"part": self._parts}}
