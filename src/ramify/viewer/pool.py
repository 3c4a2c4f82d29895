"""Subtrees of many trees, each different one kept once.

The trees of neighbouring q have most of their branches in common. A subtree is a split, the class counts of its
root and the subtrees below; equal ones have one number, so a tree is the number of its root. Nodes get their
own numbers back by walking a tree level by level, as the model's are given.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify._conditions import branch_texts
from ramify.schema import Schema
from ramify.tree import KINDS, Tree
from ramify.viewer.texts import Texts

#: A number as JSON keeps it: exact, and whole numbers without a point.
Number = int | float


def exact(value: float) -> Number:
    """Return a number as JSON should keep it, without loss."""
    value = float(value)
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
        self._splits: list[tuple[Any, ...]] = []
        self._nodes: list[tuple[Any, ...]] = []

    def add(self, tree: Tree) -> int:
        """Add a tree and return the number of its root in the pool."""
        number = np.empty(tree.node_count, dtype=np.int64)
        splits = [self._split(tree, node) for node in range(tree.node_count)]
        # Children have higher numbers than their parents, so they are there when a parent asks for them.
        for node in reversed(range(tree.node_count)):
            children = tuple(number[child] for child in tree.children(node))
            counts = tree.counts[node]
            key = (splits[node], int(tree.n_rows[node]), float(tree.unknown[node]), counts.tobytes(), children)
            found = self._node_of.get(key)
            if found is None:
                found = self._node_of[key] = len(self._nodes)
                present = np.flatnonzero(counts)
                self._nodes.append((*key[:3], present.tolist(), [exact(counts[k]) for k in present], children))
            number[node] = found
        return int(number[0])

    def _split(self, tree: Tree, node: int) -> int:
        """Return the number of a node's split, -1 for a leaf."""
        kind = KINDS[tree.kind[node]]
        if kind == "leaf":
            return -1
        routes = tree.routes_of(node) if kind in ("subset", "multiway") else None
        column, missing = int(tree.column[node]), int(tree.missing_route[node])
        threshold = float(tree.threshold[node]) if kind == "threshold" else None
        # The words for a branch say where missing values go, if there were any.
        some_missing = bool(tree.unknown[node] > 0)
        key = (column, kind, threshold, None if routes is None else routes.tobytes(), missing, some_missing)
        found = self._split_of.get(key)
        if found is None:
            found = self._split_of[key] = len(self._splits)
            begin = len(self._schema.columns[column].name) + 1  # the page says the column by itself
            words = [self._texts.add(text[begin:]) for text in branch_texts(self._schema, tree, node)]
            listed = None if routes is None else routes.tolist()
            self._splits.append((column, KINDS.index(kind), threshold, listed, missing, words))
        return found

    def data(self) -> dict[str, Any]:
        """Return the pool as columns of numbers."""
        split_names = ("column", "kind", "threshold", "routes", "missing", "words")
        node_names = ("split", "rows", "unknown", "present", "counts", "children")
        return {
            "splits": {name: [split[i] for split in self._splits] for i, name in enumerate(split_names)},
            "nodes": {
                "split": [node[0] for node in self._nodes],
                "rows": [node[1] for node in self._nodes],
                "unknown": [exact(node[2]) for node in self._nodes],
                **{
                    name: [[int(v) if name != "counts" else v for v in node[i]] for node in self._nodes]
                    for i, name in enumerate(node_names)
                    if i >= 3
                },
            },
        }
