"""Data and parameters, checked and put together: all that fitting needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._answers import Answers, check_cost_matrix, check_smoothing
from ramify._encoding import choose_nominal, encode, make_columns
from ramify._labels import one_case, read_labels, read_weights
from ramify._parameters import check_jobs, check_pruning, check_settings, check_split_order
from ramify._pruning import Grow, Votes
from ramify._table import read_table
from ramify._training import TrainingRows
from ramify.dialects import Dialect, find_dialect
from ramify.schema import Schema
from ramify.tree import Tree


@dataclass(frozen=True)
class Work:
    """Data and parameters, checked: all that fitting needs.

    `rows` are those that count, `given` all rows of the data, those of weight zero too.
    """

    schema: Schema
    rows: TrainingRows
    given: TrainingRows
    class_weight: NDArray[np.float64]
    dialect: Dialect
    settings: dict[str, Any]
    costs: NDArray[np.float64] | None
    n_jobs: int
    grow: Grow
    votes: Votes


def prepare(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Work:
    """Check data and parameters: what growing needs to know."""
    table = read_table(X, estimator)
    dialect = find_dialect(estimator.dialect)
    classes, numbers = read_labels(y, table.n_rows, dialect.declared_classes)
    weights, by_class = read_weights(sample_weight, estimator.class_weight, classes, numbers)
    counted = table.n_rows if weights is None else int(np.count_nonzero(weights))
    weight = float(counted) if weights is None else float(weights.sum())
    settings = check_settings(estimator, counted, weight, table.names, table.named)
    settings["one_case"] = one_case(weights, estimator.class_weight)
    check_pruning(estimator)
    check_smoothing(estimator.smoothing)
    costs = check_cost_matrix(estimator.cost_matrix, classes)
    n_jobs = check_jobs(estimator.n_jobs)
    columns = make_columns(table, choose_nominal(table, estimator.categorical_features))
    given = TrainingRows(encode(table, columns, "error", estimator.missing), numbers, weights)
    rows = given
    if weights is not None and counted < table.n_rows:
        rows = given.take(weights > 0)  # rows of weight zero must not even make a cut

    def grow(some: TrainingRows) -> _core.Tree:
        return _core.grow(some.blocks, some.numbers, len(classes), some.weights, settings, n_jobs)

    def votes(core: _core.Tree) -> NDArray[np.uint32]:
        answers = Answers(Tree(core), by_class, estimator.smoothing, costs, dialect)
        return answers.votes.astype(np.uint32)

    schema = Schema(columns, classes, table.named)
    return Work(schema, rows, given, by_class, dialect, settings, costs, n_jobs, grow, votes)


def check_order(split_order: Any, core: _core.Tree, schema: Schema) -> None:
    """Refuse a first column that could not be split on; further down the order gives way."""
    wanted = check_split_order(split_order, schema.names, schema.named)
    if not wanted or wanted[0] < 0 or core.node_count == 1:
        return
    if int(core.arrays()["column"][0]) != wanted[0]:
        name = schema.columns[wanted[0]].name
        raise ValueError(
            f"split_order asks for {name!r} first, but that column has no admissible split of all rows."
        )
