"""A path in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ramify.path import QPath


#: What the names in the table stand for.
_NAMES = (
    "best: most accurate; smallest: fewest nodes; "
    "trade-off: fewest nodes within one standard error of the best accuracy."
)

_BASELINE = "baseline: always the most common class."


def one_line(path: QPath) -> str:
    """Return what a path is, in one line."""
    folds = _number(path.n_folds_planned_, "fold")
    if not path.complete_:
        folds = f"{path.n_folds_} of {folds}"
    best = path.position(path.best_q_)
    return (
        f"<QPath: {_grid(path)}, {folds}, {_number(len(path.trees_), 'distinct tree')}, "
        f"best q = {path.best_q_:g} (accuracy {path.accuracy_[best]:.3f})>"
    )


def _number(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _grid(path: QPath) -> str:
    n = len(path.qs_)
    return f"q = {path.qs_[0]:g}" if n == 1 else f"{n} q from {path.qs_[0]:g} to {path.qs_[-1]:g}"


def with_error(value: float, error: float | None) -> str:
    """Return a figure with its standard error, if it has one."""
    return f"{value:.3f}" if error is None or np.isnan(error) else f"{value:.3f} ± {error:.3f}"


def report(path: QPath) -> str:
    """Return in words what a path found."""
    folds = "figures of 1 fold"
    if path.n_folds_ > 1:
        folds = f"means over {path.n_folds_} folds, ± the standard error"
    lines = [
        f"{_grid(path)}; {folds}; {_number(len(path.trees_), 'distinct tree')} on all the data.",
        "",
        f"{'':<10}{'q':>6}  {'accuracy':<15}{'nodes':>8}{'leaves':>8}{'depth':>7}{'log-loss':>10}",
    ]
    baseline = f"{'baseline':<10}{'-':>6}  {path.baseline_accuracy_:<15.3f}{1:>8.1f}{1:>8.1f}{0:>7.1f}"
    alone = len(path.qs_) == 1
    marked = (("best", path.best_q_), ("smallest", path.smallest_q_), ("trade-off", path.tradeoff_q_))
    for name, q in [("", path.best_q_)] if alone else marked:
        i = path.position(q)
        lines.append(
            f"{name:<10}{q:>6g}  {with_error(path.accuracy_[i], path.accuracy_se_[i]):<15}"
            f"{path.n_nodes_[i]:>8.1f}{path.n_leaves_[i]:>8.1f}{path.depth_[i]:>7.1f}{path.log_loss_[i]:>10.3f}"
        )
    lines.append(baseline.rstrip())
    if alone:
        lines += [
            _BASELINE,
            "",
            "There was one q only: nothing was picked, so that the accuracy is an honest one.",
        ]
    else:
        lines += [_NAMES, _BASELINE, "", *_estimates(path)]
    if not path.complete_:
        lines += [
            "",
            f"The run was interrupted: {path.n_folds_} of {path.n_folds_planned_} folds are counted.",
        ]
    return "\n".join(lines)


def _estimates(path: QPath) -> list[str]:
    """Return what accuracy to expect of new data, the flattered figure and the honest one side by side."""
    i = path.position(path.best_q_)
    flattered = with_error(path.accuracy_[i], path.accuracy_se_[i])
    lines = [
        f"accuracy with the best q, picked on the same folds:       {flattered}",
    ]
    if path.nested_accuracy_ is not None:
        honest = with_error(path.nested_accuracy_, path.nested_accuracy_se_)
        lower = path.nested_accuracy_ < path.accuracy_[i]
        how = "is flattered" if lower else "is flattered as a rule, if not here"
        lines += [
            f"accuracy with q picked inside the training rows (nested): {honest}",
            f"The first figure {how}: it is the best of many on the very folds that it reports. "
            "Expect the second of new data.",
        ]
    else:
        honest = "nested=True adds the honest one."
        if path._grower is None:  # the path of a TreeClassifierCV
            honest = "cross_val_score of the model gives an honest one."
        lines.append(
            f"This figure is flattered: it is the best of many on the very folds that it reports. {honest}"
        )
    return lines
