"""The fitted tree as a struct of arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._consistency import problem_of_numbers, problem_of_pools

__all__ = ["RunnerUp", "Tree"]

#: The arrays that make a tree; everything else is derived from them.
ARRAYS: tuple[str, ...] = (
    "first_child",
    "n_children",
    "parent",
    "column",
    "kind",
    "threshold",
    "routes_begin",
    "routes_size",
    "routes",
    "missing_route",
    "unknown",
    "counts",
    "n_rows",
    "impurity",
    "score",
    "gain",
    "search",
    "exact",
    "runner_begin",
    "runner_size",
    "runner_column",
    "runner_kind",
    "runner_threshold",
    "runner_routes_begin",
    "runner_routes_size",
    "runner_score",
    "runner_gain",
)

#: Names of the values of ``kind``.
KINDS: tuple[str, ...] = ("leaf", "threshold", "subset", "multiway", "known")

#: Names of the values of ``search``: how the chosen split was looked for.
SEARCHES: tuple[str, ...] = ("every cut", "every subset", "order of shares", "heuristic")


@dataclass(frozen=True)
class RunnerUp:
    """The best split of a column that a node did not choose.

    Attributes
    ----------
    column : int
        The column that it splits.
    kind : str
        "threshold", "subset", "multiway" or "known", one of ``ramify.tree.KINDS``.
    threshold : float, optional
        A number goes to the first branch when it is at most this; None where no number is cut.
    routes : tuple of int
        The branch of each category, -1 for one that no training case of the node had; none where no
        category is split.
    score, gain : float
        As those of a node: under the criterion, and in the entropy of the order in use.
    """

    column: int
    kind: str
    threshold: float | None
    routes: tuple[int, ...]
    score: float
    gain: float


class Tree:
    """A tree: one element of each array for each node.

    Nodes are numbered level by level from the root, 0; the children of a node stand next to each
    other. All arrays are read-only.

    Attributes
    ----------
    node_count, n_leaves, n_empty, max_depth : int
        Nodes (leaves and empty branches counted), leaves, leaves without a training case, and the
        length of the longest path.
    first_child, n_children, parent : ndarray of int32
        The children of node ``i`` are ``first_child[i]`` up to ``first_child[i] + n_children[i] - 1``.
        A leaf has -1 and 0.
    column : ndarray of int32
        The column that a node splits on, -1 in a leaf.
    kind : ndarray of uint8
        0 leaf, 1 threshold, 2 subset, 3 multiway, 4 known (is the value there, or is it missing).
    threshold : ndarray of float64
        A number goes to the first child when it is at most the threshold.
    routes, routes_begin, routes_size : ndarray
        Nominal splits: ``routes[routes_begin[i] + code]`` is the branch of a category in node ``i``; -1
        is a category that no training case of the node had: such a case stays in the node.
    missing_route : ndarray of int32
        Where a missing value goes: the number of a branch, -1 if it stays in the node and gets its
        answer, -2 if it goes down every branch in proportion to the branches' weights.
    unknown : ndarray of float64
        Weight of the training cases whose value was missing.
    counts : ndarray of float64, shape (node_count, n_classes)
        Weight of the training cases by class.
    n_rows : ndarray of int64
        Training rows, those counted too that are there in part only.
    impurity, score, gain : ndarray of float64
        Entropy of the node in the order in use, the split's score under the criterion, and its gain in
        the order in use (both 0 in a leaf).
    search, exact : ndarray of uint8
        How the split was searched for (``ramify.tree.SEARCHES``), and whether all columns of the node
        were searched exactly.
    runner_begin, runner_size, runner_column, runner_kind, runner_threshold, runner_routes_begin, \
runner_routes_size, runner_score, runner_gain : ndarray
        The best splits of the columns that were not chosen, best first; see `runner_ups`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import TreeClassifier
    >>> tree = TreeClassifier(max_depth=2).fit(*load_iris(return_X_y=True)).tree_
    >>> tree.node_count, tree.n_leaves, tree.max_depth
    (5, 3, 2)
    >>> tree.threshold[0]
    np.float64(2.45)
    """

    first_child: NDArray[np.int32]
    n_children: NDArray[np.int32]
    parent: NDArray[np.int32]
    column: NDArray[np.int32]
    kind: NDArray[np.uint8]
    threshold: NDArray[np.float64]
    routes_begin: NDArray[np.int64]
    routes_size: NDArray[np.int32]
    routes: NDArray[np.int32]
    missing_route: NDArray[np.int32]
    unknown: NDArray[np.float64]
    counts: NDArray[np.float64]
    n_rows: NDArray[np.int64]
    impurity: NDArray[np.float64]
    score: NDArray[np.float64]
    gain: NDArray[np.float64]
    search: NDArray[np.uint8]
    exact: NDArray[np.uint8]
    runner_begin: NDArray[np.int64]
    runner_size: NDArray[np.int32]
    runner_column: NDArray[np.int32]
    runner_kind: NDArray[np.uint8]
    runner_threshold: NDArray[np.float64]
    runner_routes_begin: NDArray[np.int64]
    runner_routes_size: NDArray[np.int32]
    runner_score: NDArray[np.float64]
    runner_gain: NDArray[np.float64]

    def __init__(self, core: _core.Tree) -> None:
        self.core = core
        self.n_classes = core.n_classes
        self.node_count = core.node_count

    def __getattr__(self, name: str) -> Any:
        # The arrays are copied from the core when the first of them is asked for.
        if name not in ARRAYS or "core" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        for array, values in self.core.arrays().items():
            values.setflags(write=False)
            object.__setattr__(self, array, values)
        return vars(self)[name]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *ARRAYS})

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]], n_classes: int) -> Tree:
        """Make a tree of arrays; call `validate` before you trust it."""
        return cls(_core.Tree.from_arrays(arrays, n_classes))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays by name."""
        return {name: getattr(self, name) for name in ARRAYS}

    def validate(self, n_categories: list[int]) -> None:
        """Check that the tree is one: safe to walk, and without contradiction.

        Children follow their parents and name them; columns, thresholds, routes and ways of missing values
        exist and suit each other; rows and class counts of children add up to those of their parent (counts
        to rounding); a leaf says nothing of a split; routes and runner-ups lie in order, without gaps.

        Parameters
        ----------
        n_categories : list of int
            The number of categories of each column, 0 for a numeric one.

        Raises
        ------
        ValueError
            If it breaks a rule; the text names the node and the rule.
        """
        # The core's check comes first: before it even the arrays may not be what they seem.
        problem = (
            self.core.problem(n_categories)
            or problem_of_pools(self.arrays())
            or problem_of_numbers(self.arrays())
        )
        if problem:
            raise ValueError(f"not a valid tree: {problem}")

    @property
    def n_leaves(self) -> int:
        """Nodes without children."""
        return self.core.n_leaves

    @property
    def n_empty(self) -> int:
        """Leaves that no training case reached; they answer like their parent."""
        return self.core.n_empty

    @property
    def max_depth(self) -> int:
        """Splits on the longest path."""
        return self.core.max_depth

    def children(self, node: int) -> range:
        """Return the children of a node, none for a leaf."""
        first = int(self.first_child[node])
        return range(first, first + int(self.n_children[node]))

    def sizes_below(self) -> NDArray[np.int64]:
        """Return how many nodes there are below each node."""
        below: NDArray[np.int64] = np.zeros(self.node_count, dtype=np.int64)
        for node in range(self.node_count - 1, 0, -1):  # children come after their parents
            below[self.parent[node]] += below[node] + 1
        return below

    def routes_of(self, node: int) -> NDArray[np.int32]:
        """Return the branch of each category in a node that splits a nominal column."""
        begin = int(self.routes_begin[node])
        return self.routes[begin : begin + int(self.routes_size[node])]

    def runner_ups(self, node: int) -> list[RunnerUp]:
        """Return the best splits of the columns that a node did not choose, best first.

        There are at most as many as the model's `n_runner_ups`, one a column, and none in a leaf.

        Parameters
        ----------
        node : int
            Its number.

        Returns
        -------
        list of RunnerUp

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from ramify import TreeClassifier
        >>> model = TreeClassifier(n_runner_ups=2).fit(*load_iris(return_X_y=True))
        >>> [(split.column, split.threshold) for split in model.tree_.runner_ups(0)]
        [(3, 0.8), (0, 5.45)]
        """
        begin = int(self.runner_begin[node])
        return [self._runner_up(i) for i in range(begin, begin + int(self.runner_size[node]))]

    def _runner_up(self, place: int) -> RunnerUp:
        kind = KINDS[self.runner_kind[place]]
        begin = int(self.runner_routes_begin[place])
        routes = self.routes[begin : begin + int(self.runner_routes_size[place])]
        return RunnerUp(
            column=int(self.runner_column[place]),
            kind=kind,
            threshold=float(self.runner_threshold[place]) if kind == "threshold" else None,
            routes=tuple(routes.tolist()),
            score=float(self.runner_score[place]),
            gain=float(self.runner_gain[place]),
        )

    def answers(self) -> NDArray[np.float64]:
        """Return the class counts by which each node answers: its own, or its parent's if it has none."""
        answers = self.counts.copy()
        for node in np.flatnonzero(self.n_rows == 0):
            answers[node] = answers[self.parent[node]]
        return answers

    def __repr__(self) -> str:
        return f"<Tree: {self.node_count} nodes, {self.n_leaves} leaves, depth {self.max_depth}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.arrays(), self.n_classes)

    def __setattr__(self, name: str, value: object) -> None:
        if name not in ("core", "n_classes", "node_count") or hasattr(self, name):
            self._refuse(name)
        object.__setattr__(self, name, value)

    @staticmethod
    def _refuse(name: str) -> NoReturn:
        raise AttributeError(f"a fitted tree can't be changed (tried to set {name!r})")


def _rebuild(arrays: dict[str, NDArray[Any]], n_classes: int) -> Tree:
    return Tree.from_arrays(arrays, n_classes)
