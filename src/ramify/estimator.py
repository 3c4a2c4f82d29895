"""The estimator."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from ramify._answers import Answers, check_cost_matrix
from ramify._notebook import ShownAsTree
from ramify._parameters import check_pruning
from ramify._predicting import Predicting
from ramify._preparation import check_order, prepare
from ramify._pruning import (
    check_alpha,
    choose_alpha,
    prune_as_asked,
    prune_cost_complexity,
    set_aside,
)
from ramify.dialects import find_dialect
from ramify.provenance import provenance_of
from ramify.schema import Schema
from ramify.sources._fit import fit_source
from ramify.sources._source import Source
from ramify.tree import Tree

__all__ = ["TreeClassifier"]


class TreeClassifier(ShownAsTree, Predicting, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
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
    max_features : int, float, {"sqrt", "log2"}, optional
        The columns that are looked at in a node, drawn anew for each; more only if none of them can be
        split. A float is a share of all columns.
    cuts : {"exact", "quantile", "equal_width", "gaussian"}, default="exact"
        Where numeric columns may be cut: half way between any neighbouring values, at the edges of
        `max_bins` bins of equal weight or of equal width, made once from all rows, or where normal
        distributions fitted to the classes in the node gain most. With ``"quantile"`` a column of at most
        `max_bins` distinct values is cut between any of them, as with ``"exact"``; it takes the least memory.
    max_bins : int, default=256
        The number of bins for ``cuts="quantile"`` and ``"equal_width"``. Up to 256 a value takes one byte in
        memory, beyond that two.
    categorical_features : {"from_dtype"}, None, mask, indices or names, default="from_dtype"
        Which columns are nominal. ``"from_dtype"``: categories, enums, strings and booleans.
    missing : {"fractional", "best_branch", "own_branch", "error"}, default="fractional"
        What happens to missing values (NaN, None, NaT, NA, null). ``"fractional"``, as C4.5: a split is
        scored by its known cases and worth their share, and a case whose value is missing goes down
        every branch in proportion, in training and in prediction; branches of nodes that hold parts of
        cases need the weight of two cases: 2 where `sample_weight` has different whole numbers of a mean
        up to 16, which say how often a row occurs; twice the mean weight where it has others.
        ``"best_branch"``, as scikit-learn: all missing ones join the branch that makes the score best.
        ``"own_branch"``: they are a branch of their own. The last two may also split a node into known
        and missing.
    handle_unknown : {"node", "error"}, default="node"
        What a category does in prediction that was not there in training: the case stays in the node
        that asks for it and gets that node's answer, or it is an error.
    pruning : {"pessimistic", "cost_complexity", "reduced_error", "merge"}, optional
        Whether and how the tree is cut back once it is grown, see `ramify.prune`. ``"reduced_error"``
        sets a third of the rows aside for it, stratified and shuffled by `random_state`.
    confidence : float, default=0.25
        Of pessimistic pruning, in (0, 0.5]; smaller prunes more.
    ccp_alpha : float or "cv", default=0.0
        Of cost-complexity pruning: the impurity that a leaf costs. ``"cv"`` chooses it by ten-fold
        cross-validation, the largest within one standard error of the best.
    smoothing : "laplace" or float, optional
        ``"laplace"`` adds one case of each class to a leaf before it answers, a number m adds m cases in
        the proportions of all training cases (an m-estimate).
    class_weight : dict or "balanced", optional
        Weights of the classes, multiplied with `sample_weight`; ``"balanced"`` gives all classes the same
        total, `sample_weight` counted. They make the tree, and its votes, heed
        some classes more. Probabilities stay honest: `predict_proba` takes the class weights out again,
        so with class weights the most probable class need not be the one that is predicted.
    cost_matrix : array-like, shape (n_classes, n_classes), optional
        What it costs to take a class (down) for another (across), in the order of `classes_`. A leaf
        predicts the class of the least expected cost; the tree itself does not depend on it.
    split_order : list of str, int or None, optional
        The columns that depth 0, 1, ... must split on; None leaves a depth free. The cut is searched
        for. A node below the root that the column can't split is split freely.
    n_runner_ups : int, default=0
        How many of the best splits of other columns each node keeps, see `Tree.runner_ups`.
    dialect : {"plain", "c45"} or Dialect, default="plain"
        The rules of a system: ``"c45"`` is C4.5's own bundle, see `ramify.Dialect`.
    n_jobs : int, optional
        Threads; None is 1, -1 all cores. The tree does not depend on it.
    random_state : int, RandomState, optional
        For the draws of `max_features` and the folds of pruning; without these a tree has no chance in
        it.

    Attributes
    ----------
    classes_ : ndarray
        The classes in sorted order.
    tree_ : Tree
        The tree, as arrays.
    schema_ : Schema
        The columns and their categories.
    ccp_alpha_ : float
        With cost-complexity pruning: the alpha that was used.
    provenance_ : Provenance
        Which version of ramify fitted the model, when, and to which data.
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

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like or frame, shape (rows, columns), or Source
            A NumPy array, or a pandas, polars or Arrow frame. Or a source, see `ramify.sources`: rows on
            disk or on a cluster, with their labels and weights.
        y : array-like, shape (rows,)
            Labels of any hashable sort. None with a source.
        sample_weight : array-like, shape (rows,), optional
            What each row counts; a weight of 2 is two copies of the row, 0 leaves it out.

        Returns
        -------
        TreeClassifier
            This model, fitted. If anything is wrong with the input, it is left as it was.
        """
        if isinstance(X, Source):
            return fit_source(self, X, y, sample_weight)
        work = prepare(self, X, y, sample_weight)
        method = check_pruning(self)
        rows, kept = work.rows, work.rows
        if method == "reduced_error":
            rows, kept = set_aside(work.rows, self.random_state)
        core = work.grow(rows)
        check_order(self.split_order, core, work.schema)
        categories = work.schema.n_categories
        core = prune_as_asked(core, method, self, work.dialect, kept, categories, work.votes)
        if method == "cost_complexity":
            alpha = self.ccp_alpha
            if alpha == "cv":
                alpha = choose_alpha(work.grow, work.votes, rows, categories, self.random_state)
            core = prune_cost_complexity(core, categories, check_alpha(alpha))
        self._set_fitted(work.schema, Tree(core), work.class_weight)
        self.provenance_ = provenance_of(work.schema, work.given, work.n_jobs)
        if method == "cost_complexity":
            self.ccp_alpha_ = float(alpha)
        return self

    def _set_fitted(self, schema: Schema, tree: Tree, class_weight: NDArray[np.float64]) -> None:
        self.schema_ = schema
        self.tree_ = tree
        self.classes_ = schema.classes
        self.class_weight_ = class_weight
        self.n_classes_ = len(schema.classes)
        self.n_features_in_ = len(schema.columns)
        if schema.named:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        costs = check_cost_matrix(self.cost_matrix, schema.classes)
        self._answers = Answers(tree, class_weight, self.smoothing, costs, find_dialect(self.dialect))

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

    def _plain(self) -> TreeClassifier:
        """Return the model as a `TreeClassifier`; a subclass may have chosen some of its parameters."""
        return self

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "tree_")
