"""The estimator."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from ramify import _core
from ramify._encoding import Blocks, choose_nominal, encode, make_columns
from ramify._labels import read_labels, read_weights
from ramify._parameters import UNKNOWN, check_choice, check_jobs, check_settings
from ramify._table import Table, read_table
from ramify.schema import Schema
from ramify.tree import Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["TreeClassifier"]


class TreeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classification tree under any splitting criterion.

    Two knobs choose the criterion: `criterion` says how a split is compared with the node that it
    splits, `q` which entropy measures both. ``criterion="gain"`` with ``q=1`` is ID3, with ``q=2``
    CART, with any other ``q`` a Tsallis tree; ``"gain_ratio"`` with ``q=1`` is C4.5's choice.

    Parameters
    ----------
    criterion : str or callable, default="gain"
        A name from `ramify.list_criteria`; ``"entropy"`` and ``"log_loss"`` are the gain with q = 1,
        ``"gini"`` with q = 2, ``"tsallis"`` the gain. Or a function of an array of class counts
        (candidates, branches, classes) that returns one score a candidate, higher being better.
    q : float, optional
        The order of the entropy, any number >= 0. None is the criterion's own default: 2 for the gain
        and the distances, 1 for the gain ratio and Jensen-Shannon.
    branching : {"binary", "multiway"}, default="binary"
        How nominal columns are split: into two groups of categories, or one branch a category. Numeric
        columns are always cut in two.
    max_depth : int, optional
        The longest path.
    min_samples_split, min_samples_leaf : int or float, default=2 and 1
        The fewest rows of a node that is split, and of a branch; a float is a share of all rows. A
        multi-way split needs two such branches.
    min_support : int or float, optional
        A branch in which no class has this many cases (or this share of all cases) has no support and
        earns a split nothing.
    min_impurity_decrease : float, default=0.0
        The gain that a split needs, weighted by its node's share of all cases.
    max_leaf_nodes : int, optional
        The most leaves; the nodes that gain most are split first then.
    max_features : None
        Not available yet.
    cuts : {"exact", "equal_width", "gaussian"}, default="exact"
        Where numeric columns may be cut: half way between any neighbouring values, at the edges of
        `max_bins` bins of equal width, or where normal distributions fitted to the classes in the node
        gain most.
    max_bins : int, default=256
        The number of bins for ``cuts="equal_width"``.
    categorical_features : {"from_dtype"}, None, mask, indices or names, default="from_dtype"
        Which columns are nominal. ``"from_dtype"``: categories, enums, strings and booleans.
    missing : {"fractional", "error"}, default="fractional"
        What to do with missing values. For now any missing value is an error.
    handle_unknown : {"node", "error"}, default="node"
        What a category does in prediction that was not there in training: the case stays in the node
        that asks for it and gets that node's answer, or it is an error.
    pruning, confidence, ccp_alpha, smoothing, cost_matrix, split_order, n_runner_ups, dialect
        Not available yet.
    class_weight : dict or "balanced", optional
        Weights of the classes, multiplied with `sample_weight`.
    n_jobs : int, optional
        Threads; None is 1, -1 all cores. The tree does not depend on it.
    random_state : int, optional
        Without effect as long as there is no `max_features`: a tree has no chance in it.

    Attributes
    ----------
    classes_ : ndarray
        The classes in sorted order.
    tree_ : Tree
        The tree, as arrays.
    schema_ : Schema
        The columns and their categories.
    n_features_in_, feature_names_in_, n_classes_, feature_importances_
        As in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import TreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = TreeClassifier(criterion="gain", q=1.5, max_depth=3).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.973
    """

    def __init__(
        self,
        criterion: Any = "gain",
        q: float | None = None,
        branching: str = "binary",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_support: float | None = None,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        max_features: Any = None,
        cuts: str = "exact",
        max_bins: int = 256,
        categorical_features: Any = "from_dtype",
        missing: str = "fractional",
        handle_unknown: str = "node",
        pruning: str | None = None,
        confidence: float = 0.25,
        ccp_alpha: Any = 0.0,
        smoothing: Any = None,
        class_weight: Any = None,
        cost_matrix: Any = None,
        split_order: Any = None,
        n_runner_ups: int = 0,
        dialect: Any = "plain",
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.q = q
        self.branching = branching
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_support = min_support
        self.min_impurity_decrease = min_impurity_decrease
        self.max_leaf_nodes = max_leaf_nodes
        self.max_features = max_features
        self.cuts = cuts
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.missing = missing
        self.handle_unknown = handle_unknown
        self.pruning = pruning
        self.confidence = confidence
        self.ccp_alpha = ccp_alpha
        self.smoothing = smoothing
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.split_order = split_order
        self.n_runner_ups = n_runner_ups
        self.dialect = dialect
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like or frame, shape (rows, columns)
            A NumPy array, or a pandas, polars or Arrow frame.
        y : array-like, shape (rows,)
            Labels of any hashable sort.
        sample_weight : array-like, shape (rows,), optional
            What each row counts; a weight of 2 is two copies of the row, 0 leaves it out.

        Returns
        -------
        TreeClassifier
            This model, fitted. If anything is wrong with the input, it is left as it was.
        """
        table = read_table(X, self)
        classes, numbers = read_labels(y, table.n_rows)
        weights = read_weights(sample_weight, self.class_weight, classes, numbers)
        counted = table.n_rows if weights is None else int(np.count_nonzero(weights))
        weight = float(counted) if weights is None else float(weights.sum())
        settings = check_settings(self, counted, weight)
        n_jobs = check_jobs(self.n_jobs)
        columns = make_columns(table, choose_nominal(table, self.categorical_features))
        blocks = encode(table, columns, "error")
        if weights is not None and counted < table.n_rows:
            blocks, numbers, weights = _without_zero_weights(blocks, numbers, weights)
        core = _core.grow(blocks, numbers, len(classes), weights, settings, n_jobs)
        self._set_fitted(Schema(columns, classes, table.named), Tree(core))
        return self

    def _set_fitted(self, schema: Schema, tree: Tree) -> None:
        self.schema_ = schema
        self.tree_ = tree
        self.classes_ = schema.classes
        self.n_classes_ = len(schema.classes)
        self.n_features_in_ = len(schema.columns)
        if schema.named:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self._answers = tree.answers()

    def _encode(self, X: Any) -> tuple[Blocks, int]:
        check_is_fitted(self, "tree_")
        check_choice("handle_unknown", self.handle_unknown, UNKNOWN)
        table = read_table(X, self)
        self._check_columns(table)
        return encode(table, self.schema_.columns, self.handle_unknown), table.n_rows

    def _check_columns(self, table: Table) -> None:
        """Check that a table has the columns of the training data, in their order."""
        known, given = self.schema_.names, table.names
        if self.schema_.named and table.named:
            if given == known:
                return
            lines = ["The feature names should match those that were passed during fit."]
            unseen = sorted(set(given) - set(known))
            absent = sorted(set(known) - set(given))
            if unseen:
                lines += ["Feature names unseen at fit time:", *(f"- {name}" for name in unseen)]
            if absent:
                lines += [
                    "Feature names seen at fit time, yet now missing:",
                    *(f"- {n}" for n in absent),
                ]
            if not unseen and not absent:
                lines.append("Feature names must be in the same order as they were in fit.")
            raise ValueError("\n".join(lines) + "\n")
        if len(given) != len(known):
            raise ValueError(
                f"X has {len(given)} features, but {type(self).__name__} is expecting {len(known)} "
                "features as input."
            )
        if self.schema_.named != table.named:
            name = type(self).__name__
            if self.schema_.named:
                text = f"X does not have valid feature names, but {name} was fitted with feature names"
            else:
                text = f"X has feature names, but {name} was fitted without feature names"
            warnings.warn(text, UserWarning, stacklevel=4)

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the node in which each row ends.

        It is a leaf, unless the row has a category that its node has no branch for: then it is that
        node.

        Parameters
        ----------
        X : array-like or frame
            Rows with the columns of the training data.

        Returns
        -------
        ndarray of int32, shape (rows,)

        Examples
        --------
        >>> from ramify import TreeClassifier
        >>> model = TreeClassifier().fit([[1.0], [2.0], [3.0]], ["a", "b", "b"])
        >>> model.apply([[1.2], [9.0]])
        array([1, 2], dtype=int32)
        """
        blocks, rows = self._encode(X)
        return _core.apply(self.tree_.core, blocks, rows, check_jobs(self.n_jobs))

    def decision_path(self, X: Any) -> csr_matrix:
        """Return the nodes on the path of each row, as a matrix of rows by nodes.

        Parameters
        ----------
        X : array-like or frame
            Rows with the columns of the training data.

        Returns
        -------
        csr_matrix, shape (rows, node_count)
            1 where the row passes the node.
        """
        from scipy.sparse import csr_matrix

        ends = self.apply(X)
        starts, nodes = _core.paths(self.tree_.core, ends)
        ones = np.ones(len(nodes), dtype=np.int64)
        return csr_matrix((ones, nodes, starts), shape=(len(starts) - 1, self.tree_.node_count))

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row: the most frequent of its node, the first in order on a tie.

        Parameters
        ----------
        X : array-like or frame
            Rows with the columns of the training data.

        Returns
        -------
        ndarray, shape (rows,)
        """
        ends = self.apply(X)
        answers: NDArray[Any] = self.classes_[np.argmax(self._answers, axis=1)]
        return answers[ends]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the share of each class in the node where a row ends.

        Parameters
        ----------
        X : array-like or frame
            Rows with the columns of the training data.

        Returns
        -------
        ndarray, shape (rows, n_classes_)
            Columns in the order of `classes_`.
        """
        ends = self.apply(X)
        shares: NDArray[np.float64] = self._answers / self._answers.sum(axis=1, keepdims=True)
        return shares[ends]

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the logarithms of the class shares; minus infinity where a share is 0.

        Parameters
        ----------
        X : array-like or frame
            Rows with the columns of the training data.

        Returns
        -------
        ndarray, shape (rows, n_classes_)
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def get_depth(self) -> int:
        """Return the number of splits on the longest path."""
        check_is_fitted(self, "tree_")
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves, empty ones included."""
        check_is_fitted(self, "tree_")
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The share of each column in the total gain of the tree, weighted by cases.

        Gains are in the entropy of the order in use. As in scikit-learn, a column with many values
        gets more than its due; do not read it as more than a description of this tree.
        """
        check_is_fitted(self, "tree_")
        tree = self.tree_
        inner = tree.column >= 0
        weight = tree.counts[inner].sum(axis=1) * tree.gain[inner]
        sums: NDArray[np.float64] = np.zeros(self.n_features_in_)
        np.add.at(sums, tree.column[inner], weight)
        total = sums.sum()
        return sums / total if total > 0 else sums

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "tree_")


def _without_zero_weights(
    blocks: Blocks, numbers: NDArray[np.uint32], weights: NDArray[np.float64]
) -> tuple[Blocks, NDArray[np.uint32], NDArray[np.float64]]:
    """Drop the rows of weight zero: they must not even make a cut."""
    kept = weights > 0
    return [(values[kept], n) for values, n in blocks], numbers[kept], weights[kept]
