"""A tree that chooses its own order q."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ramify._choice import RULES, choose
from ramify._folds import check_groups, make_folds
from ramify._orders import check_orders, is_flat
from ramify._parameters import check_choice, refuse
from ramify._path_run import Plan
from ramify._path_scores import check_test_weights
from ramify.estimator import TreeClassifier
from ramify.path import QPath
from ramify.tuning import compute_path, fixed_seed, make_grower

__all__ = ["TreeClassifierCV"]

#: The parameters that may have several values, of which one is chosen along with q.
_AXES = ("min_samples_leaf", "confidence")


class TreeClassifierCV(TreeClassifier):
    """A classification tree whose order q is chosen by cross-validation.

    All orders of the grid are tried on the same folds, see `q_path`; then the tree is grown on all rows with
    the one that was chosen. From then on it is a `TreeClassifier`, which keeps no data. For the honest
    accuracy of the whole, choice of q included, give it to ``cross_val_score``.

    Parameters
    ----------
    qs : list of float, optional
        The orders to try: different finite numbers >= 0, no more than 65,535 of them. None is 0.1, 0.2, ...,
        10.0.
    cv : int, splitter or iterable, default=10
        An integer: as many stratified and shuffled folds, `n_repeats` times. Or any splitter of scikit-learn,
        or a list of (train, test) row numbers.
    n_repeats : int, default=1
        How often an integer `cv` is repeated with other folds.
    select : {"accuracy", "size", "one_se"}, default="accuracy"
        ``"accuracy"``: the highest mean accuracy, the smaller tree on ties. ``"size"``: the smallest mean
        tree, the more accurate on ties. ``"one_se"``: the smallest mean tree within one standard error of
        the best mean accuracy, the more accurate on ties. What ties even then goes to the smaller q, then to
        the value that stands first in its list.
    min_samples_leaf : int, float, or list of these, default=1
        As for `TreeClassifier`. Of several values one is chosen along with q.
    confidence : float or list of float, default=0.25
        As for `TreeClassifier`. Of several values one is chosen along with q.
    random_state : int, RandomState or None, default=0
        Shuffles the folds, and is the `random_state` of the trees.
    progress : bool or None, default=False
        Whether to show a bar with the time left, one for each combination; as for `q_path`.
    criterion, branching, max_depth, min_samples_split, min_support, min_impurity_decrease, max_leaf_nodes, \
max_features, cuts, max_bins, categorical_features, missing, handle_unknown, pruning, ccp_alpha, smoothing, \
class_weight, cost_matrix, split_order, n_runner_ups, dialect, n_jobs
        As for `TreeClassifier`. The criterion must take an order.

    Attributes
    ----------
    q_ : float
        The order that was chosen.
    min_samples_leaf_, confidence_ : int or float
        The values in use, chosen if there were several.
    path_ : QPath
        What was found out about each q, with these values; `QPath.model` is not for it, as it has no data.
    paths_ : list of QPath
        The same for each combination in `grid_`.
    grid_ : list of dict
        The combinations of those parameters that had several values; a single empty one if none had.
    best_estimator_ : TreeClassifier
        The same tree as a `TreeClassifier` with the parameters that were chosen. This is what `save_model`
        writes and `prune` prunes.
    classes_, tree_, schema_, ...
        As those of `TreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from ramify import TreeClassifierCV
    >>> X, y = load_iris(return_X_y=True)
    >>> model = TreeClassifierCV(qs=[0.5, 1, 2, 4], select="one_se", min_samples_leaf=[2, 5]).fit(X, y)
    >>> model.q_, model.min_samples_leaf_, model.get_n_leaves()
    (2.0, 5, 6)
    >>> round(cross_val_score(model, X, y, cv=5).mean(), 3)
    np.float64(0.947)
    """

    def __init__(
        self,
        qs: Any = None,
        cv: Any = 10,
        n_repeats: int = 1,
        select: str = "accuracy",
        criterion: Any = "gain",
        branching: str = "binary",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: Any = 1,
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
        confidence: Any = 0.25,
        ccp_alpha: Any = 0.0,
        smoothing: Any = None,
        class_weight: Any = None,
        cost_matrix: Any = None,
        split_order: Any = None,
        n_runner_ups: int = 0,
        dialect: Any = "plain",
        n_jobs: int | None = None,
        random_state: Any = 0,
        progress: bool | None = False,
    ) -> None:
        super().__init__(
            criterion=criterion,
            branching=branching,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_support=min_support,
            min_impurity_decrease=min_impurity_decrease,
            max_leaf_nodes=max_leaf_nodes,
            max_features=max_features,
            cuts=cuts,
            max_bins=max_bins,
            categorical_features=categorical_features,
            missing=missing,
            handle_unknown=handle_unknown,
            pruning=pruning,
            confidence=confidence,
            ccp_alpha=ccp_alpha,
            smoothing=smoothing,
            class_weight=class_weight,
            cost_matrix=cost_matrix,
            split_order=split_order,
            n_runner_ups=n_runner_ups,
            dialect=dialect,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        del self.q  # it is chosen, and then called q_
        self.qs = qs
        self.cv = cv
        self.n_repeats = n_repeats
        self.select = select
        self.progress = progress

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None) -> Self:
        """Choose q, and grow the tree with it on all rows.

        Parameters
        ----------
        X : array-like or frame, shape (rows, columns)
            A NumPy array, or a pandas, polars or Arrow frame.
        y : array-like, shape (rows,)
            Labels of any hashable sort.
        sample_weight : array-like, shape (rows,), optional
            What each row counts, in training and in the choice of q.
        groups : array-like, shape (rows,), optional
            The group of each row, for a `cv` that keeps groups together, such as ``GroupKFold(10)``.

        Returns
        -------
        TreeClassifierCV
            This model, fitted. If anything is wrong with the input, or if Ctrl-C interrupts it (which is
            raised here, as nothing was chosen), it is left as it was.
        """
        check_choice("select", self.select, RULES)
        orders = check_orders(self.qs)
        grid = self._grid()
        seed = fixed_seed(self.random_state)
        fixed = {
            name: getattr(self, name) for name in TreeClassifier().get_params() if name not in ("q", *_AXES)
        }
        single = {name: getattr(self, name) for name in _AXES}
        models = [TreeClassifier(**(fixed | single | some | {"random_state": seed})) for some in grid]
        growers = [make_grower(model, X, y, sample_weight, orders) for model in models]
        numbers, classes = growers[0].numbers, growers[0].classes
        of_rows = check_groups(groups, len(numbers))
        folds = make_folds(self.cv, self.n_repeats, seed, X, numbers, classes, groups=of_rows)
        check_test_weights(growers[0], folds)
        paths = [
            compute_path(Plan(grower, orders, folds), progress=self.progress, partial=False)
            for grower in growers
        ]
        chosen, q = _choose(self.select, paths)
        best = paths[chosen].model(q)
        self._set_fitted(best.schema_, best.tree_, best.class_weight_)
        self.provenance_ = best.provenance_
        self.q_ = q
        self.min_samples_leaf_ = best.min_samples_leaf
        self.confidence_ = best.confidence
        self.grid_ = grid
        self.paths_ = [replace(path, _grower=None) for path in paths]  # a model does not keep its data
        self.path_ = self.paths_[chosen]
        self.best_estimator_ = best
        if hasattr(best, "ccp_alpha_"):
            self.ccp_alpha_ = best.ccp_alpha_
        return self

    def _grid(self) -> list[dict[str, Any]]:
        """Return each combination of the parameters that have several values."""
        several = {}
        for name in _AXES:
            given = getattr(self, name)
            if isinstance(given, (str, bytes)) or not hasattr(given, "__len__"):
                continue
            if not is_flat(given) or len(given) == 0:
                raise refuse(name, given, "one value or a list of values")
            values = np.asarray(given, dtype=object).tolist()
            twice = [value for i, value in enumerate(values) if value in values[:i]]
            if twice:
                raise ValueError(f"{name} has {twice[0]!r} more than once; the values to try must differ.")
            several[name] = values
        if "confidence" in several and self.pruning != "pessimistic":
            raise ValueError(
                f"confidence has several values, but pruning={self.pruning!r} does not use it; "
                "it belongs to 'pessimistic'."
            )
        return [dict(zip(several, values, strict=True)) for values in product(*several.values())]

    def _plain(self) -> TreeClassifier:
        check_is_fitted(self, "tree_")
        return self.best_estimator_


def _choose(rule: str, paths: list[QPath]) -> tuple[int, float]:
    """Return the path and the q that a rule chooses among all; the smaller q is the first of equals."""
    accuracy = np.stack([path.accuracy_ for path in paths], axis=1)
    errors = np.stack([path.accuracy_se_ for path in paths], axis=1)
    size = np.stack([path.n_nodes_ for path in paths], axis=1)
    place = choose(rule, accuracy.ravel(), errors.ravel(), size.ravel())
    order, which = divmod(place, len(paths))
    return which, float(paths[which].qs_[order])
