"""How well the trees of many q do on rows that they have not seen, and how large they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._folds import Folds
from ramify._path_growth import Orders, PathGrower, Rows, Training

Floats = NDArray[np.float64]

#: Probabilities are kept this far from 0 and 1 before their logarithm is taken, as scikit-learn does.
_CLIP = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Scores:
    """One number a fold (down) and q (across).

    Attributes
    ----------
    accuracy, log_loss : ndarray
        On the test rows, weighted by their `sample_weight`.
    n_nodes, n_leaves, depth : ndarray
        Of the tree that was grown on the training rows.
    """

    accuracy: Floats
    log_loss: Floats
    n_nodes: Floats
    n_leaves: Floats
    depth: Floats

    def __len__(self) -> int:
        return len(self.accuracy)

    def take(self, which: Any) -> Scores:
        """Return some of the folds."""
        return Scores(**{name: getattr(self, name)[which] for name in NAMES})

    @staticmethod
    def join(parts: list[Scores]) -> Scores:
        """Return the folds of all parts, one after the other."""
        return Scores(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in NAMES})


#: The arrays of scores.
NAMES = tuple(Scores.__dataclass_fields__)


def score_folds(grower: PathGrower, folds: Folds, qs: Orders) -> Scores:
    """Grow the trees of all q on the training rows of each fold, and score them on its test rows."""
    trainings = [grower.training(rows) for rows in folds.train]
    if grower.scores_folds:
        return _score_together(grower, trainings, folds.test, qs)
    parts = [
        _score_fold(grower, training, test, qs) for training, test in zip(trainings, folds.test, strict=True)
    ]
    return Scores(**{name: np.stack([part[name] for part in parts]) for name in NAMES})


def baselines(grower: PathGrower, folds: Folds) -> Floats:
    """Return for each fold the accuracy of always answering the most common class of its training rows."""
    weights = np.ones(grower.n_rows) if grower.sample_weight is None else grower.sample_weight
    shares = []
    for train, test in zip(folds.train, folds.test, strict=True):
        common = np.bincount(grower.numbers[train], weights[train]).argmax()
        shares.append(weights[test] @ (grower.numbers[test] == common) / weights[test].sum())
    return np.array(shares)


def check_test_weights(grower: PathGrower, folds: Folds, name: str = "cv") -> None:
    """Refuse folds whose rows, to train or to test, all have the weight 0."""
    weights = grower.sample_weight
    if weights is None or weights.all():
        return
    for fold in range(len(folds)):
        for what, rows in (("training", folds.train[fold]), ("test", folds.test[fold])):
            if not weights[rows].any():
                raise ValueError(f"sample_weight is 0 for all {what} rows of fold {fold} of {name}.")


def _score_together(grower: PathGrower, trainings: list[Training], tests: list[Rows], qs: Orders) -> Scores:
    found = grower.evaluate(trainings, tests, qs)
    weights = grower.sample_weight
    weight = np.array([[len(test) if weights is None else weights[test].sum()] for test in tests])
    sizes = {name: found[name] for name in ("n_nodes", "n_leaves", "depth")}
    return Scores(found["correct"] / weight, found["log_loss"] / weight, **sizes)


def _score_fold(grower: PathGrower, training: Training, test: Rows, qs: Orders) -> dict[str, Floats]:
    grown = grower.grow(training, qs)
    blocks = [(values[test], n, missing) for values, n, missing in grower.blocks]
    labels = grower.numbers[test]
    weights = np.ones(len(test)) if grower.sample_weight is None else grower.sample_weight[test]
    scores = np.array([_score_tree(grower, training, core, blocks, labels, weights) for core in grown.trees])
    return dict(zip(NAMES, scores[grown.which].T, strict=True))


def _score_tree(
    grower: PathGrower,
    training: Training,
    core: _core.Tree,
    blocks: list[_core.Block],
    labels: NDArray[np.uint32],
    weights: Floats,
) -> tuple[float, ...]:
    """Return the scores of one tree, in the order of `NAMES`."""
    answers = grower.answers(core, training)
    rows = np.arange(len(labels))
    shares = votes = None
    if grower.has_missing:
        shares = _core.spread(core, blocks, len(labels), answers.shares, answers.part_weights, 1)
        parts = _core.spread(core, blocks, len(labels), answers.vote_shares, None, 1)
        votes = None if parts is None else answers.vote(parts)
    if shares is None or votes is None:  # no row goes down in parts
        ends = _core.apply(core, blocks, len(labels), 1)
        shares, votes = answers.shares[ends], answers.votes[ends]
    total = weights.sum()
    right = float(weights @ (votes == labels)) / total
    told = np.clip(shares[rows, labels], _CLIP, 1.0 - _CLIP)
    loss = -float(weights @ np.log(told)) / total
    return right, loss, core.node_count, core.n_leaves, core.max_depth
