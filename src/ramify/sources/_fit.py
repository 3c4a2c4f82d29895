"""Fitting from a source: passes for the schema, one for the codes, then the growth of the tree."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._answers import Answers, check_cost_matrix, check_smoothing
from ramify._labels import class_weights
from ramify._parameters import (
    CUTS,
    MISSING,
    check_choice,
    check_criterion,
    check_integer,
    check_jobs,
    check_pruning,
    check_settings,
)
from ramify._preparation import check_order
from ramify._progress import ProgressBar
from ramify._pruning import check_alpha, prune_as_asked, prune_cost_complexity
from ramify.dialects import find_dialect
from ramify.provenance import provenance_now
from ramify.schema import Column, Schema
from ramify.sources import _checkpoint, _schema_file
from ramify.sources._checkpoint import Begun, Population
from ramify.sources._coded_schema import CodedSchema
from ramify.sources._codings import make_codings, make_columns
from ramify.sources._errors import SourceError
from ramify.sources._growth import Grower
from ramify.sources._parts import CodedParts
from ramify.sources._rows import RowEncoder, RowReader, WeighClasses
from ramify.sources._sketch import need_datasketches
from ramify.sources._source import Source
from ramify.sources._summary import CountRows, Summarise, Summary
from ramify.tree import Tree

log = logging.getLogger("ramify.sources")

Model = TypeVar("Model", bound=Any)


@dataclass(frozen=True)
class Grown:
    """A tree that was grown from a source."""

    schema: Schema
    core: _core.Tree
    class_weight: NDArray[np.float64]
    rows: int


def fit_source(estimator: Model, source: Source, y: Any, sample_weight: Any) -> Model:
    """Fit an estimator from a source, and prune as its parameters say."""
    for name, value, word in (("y", y, "target"), ("sample_weight", sample_weight, "weight")):
        if value is not None:
            raise ValueError(
                f"{name} was given with a source, which has its own; name its column as {word}=... ."
            )
    method, dialect = check_pruning(estimator), find_dialect(estimator.dialect)
    check_smoothing(estimator.smoothing)
    grown = grow_from(estimator, source)
    schema, core = grown.schema, grown.core
    costs = check_cost_matrix(estimator.cost_matrix, schema.classes)
    check_order(estimator.split_order, core, schema)

    def votes(of: _core.Tree) -> NDArray[np.uint32]:
        answers = Answers(Tree(of), grown.class_weight, estimator.smoothing, costs, dialect)
        return answers.votes.astype(np.uint32)

    core = prune_as_asked(core, method, estimator, dialect, None, schema.n_categories, votes)
    if method == "cost_complexity":
        core = prune_cost_complexity(core, schema.n_categories, check_alpha(estimator.ccp_alpha))
    estimator._set_fitted(schema, Tree(core), grown.class_weight)
    estimator.provenance_ = provenance_now(grown.rows)
    if method == "cost_complexity":
        estimator.ccp_alpha_ = float(estimator.ccp_alpha)
    return estimator


def grow_from(estimator: Any, source: Source) -> Grown:
    """Grow the tree that an estimator's parameters ask for.

    Raises
    ------
    ValueError, TypeError
        If parameters do not go with a source, or a part can't be used; the text names it.
    """
    try:
        return _grow_from(estimator, source)
    finally:
        source.parts.release()


def _grow_from(estimator: Any, source: Source) -> Grown:
    _check(estimator, source)
    n_jobs = check_jobs(estimator.n_jobs)
    what = _checkpoint.describe(estimator, source)
    begun = None if source.checkpoint is None else _checkpoint.read(source.checkpoint, what)
    if begun is None:
        begun = _begin(estimator, source, n_jobs)
        _save(source, what, begun)
    else:
        log.info("going on from the checkpoint %s", source.checkpoint)
        _keep_schema(estimator, source, begun.coded)
    population, schema = begun.population, begun.coded.schema
    settings = _settings(estimator, population.rows, sum(population.totals), schema.names)
    settings["seed"] = population.seed  # drawn once, also for a fit that goes on
    growth = _core.CountedGrowth(
        settings,
        begun.coded.codings,
        population.totals,
        population.rows,
        population.unit,
        population.whole,
        population.smallest,
    )
    if begun.tree is not None:
        growth.restore(begun.tree, begun.open_nodes or [])
    if growth.open:
        parts = _find_codes(source, begun)
        if parts is None:
            encoder = _encoder(estimator, source, begun, growth)
            parts = source.parts.encode(encoder, n_jobs, source.checkpoint)
            begun = replace(begun, rows=parts.identity)
            _save(source, what, begun)
        try:
            _grow(source, what, begun, growth, parts, n_jobs)
        finally:
            parts.close()
    if source.checkpoint is not None:
        source.parts.forget(source.checkpoint)
    return Grown(schema, growth.finished(), np.array(population.class_weight), population.rows)


def _check(estimator: Any, source: Source) -> None:
    """Refuse parameters that need all rows in memory, before anything is read."""
    check_choice("cuts", estimator.cuts, CUTS)
    check_integer("max_bins", estimator.max_bins, 2, 65535)
    check_choice("missing", estimator.missing, MISSING)
    check_criterion(estimator.criterion, estimator.q)
    if estimator.cuts == "gaussian":
        raise ValueError(
            "cuts='gaussian' does not go with a source; use 'quantile', 'equal_width' or 'exact'."
        )
    dialect = find_dialect(estimator.dialect)
    if dialect.by_columns or dialect.raising:
        raise ValueError(
            f"dialect={estimator.dialect!r} does not go with a source: its rules need all rows in memory."
        )
    if estimator.pruning == "reduced_error" or estimator.ccp_alpha == "cv":
        name = "pruning='reduced_error'" if estimator.pruning == "reduced_error" else "ccp_alpha='cv'"
        raise ValueError(
            f"{name} does not go with a source, since it needs rows apart; prune the fitted model with "
            "ramify.prune and validation data of your own."
        )
    if source.quantiles == "sketch":
        _check_sketch(estimator, source)


def _check_sketch(estimator: Any, source: Source) -> None:
    if estimator.cuts != "quantile":
        raise ValueError(
            f"quantiles='sketch' goes with cuts='quantile' alone, and cuts={estimator.cuts!r} was given."
        )
    if source.weight is not None or estimator.class_weight is not None:
        name = "class_weight" if source.weight is None else "weight"
        raise ValueError(
            f"quantiles='sketch' counts every row once, and {name} was given; use quantiles='exact' with it."
        )


def _settings(estimator: Any, rows: int, weight: float, names: list[str]) -> dict[str, Any]:
    settings = check_settings(estimator, rows, weight, names, True)
    settings["one_case"] = 1.0  # parts of cases are not grown from a source
    return settings


def _begin(estimator: Any, source: Source, n_jobs: int) -> Begun:
    """Make the passes before the tree: schema, codings, and what all rows weigh."""
    known = None if source.schema is None else _schema_file.read(source.schema, estimator, source)
    reader, by_label = _reader(estimator, source, n_jobs)
    looks = (reader, estimator.categorical_features, estimator.max_bins, estimator.cuts, source.quantiles)
    if known is None:
        if source.quantiles == "sketch":
            need_datasketches()  # before anything is read
        summary = source.parts.run(Summarise(*looks), n_jobs)
    else:
        log.info("columns, classes and cuts are those of the schema %s", source.schema)
        summary = source.parts.run(CountRows(*looks, known.schema, _schema_name(source)), n_jobs)
    _check_rows(summary)
    log.info("%d rows, %d columns, %d classes", summary.rows, len(summary.columns), len(summary.weight_of))
    columns = make_columns(summary) if known is None else known.schema.columns
    settings = _settings(estimator, summary.rows, summary.weight, [column.name for column in columns])
    if known is None:
        _refuse_parts_of_cases(estimator, columns, [column.missing for column in summary.columns])
        codings = make_codings(source.parts, reader, summary, columns, settings, source.budget, n_jobs)
        coded = CodedSchema(Schema(columns, summary.classes(), True), codings)
        if source.schema is not None:
            _schema_file.write(source.schema, estimator, source, coded)
    else:
        _refuse_parts_of_cases(estimator, columns, [coding.has_missing for coding in known.codings])
        coded = known
    listed = coded.schema.classes.tolist()
    population = Population(
        summary.rows,
        [summary.weight_of.get(label, 0.0) for label in listed],
        summary.unit,
        summary.whole,
        summary.smallest,
        [by_label.get(label, 1.0) for label in listed],
        settings["seed"],
    )
    return Begun(coded, population)


def _check_rows(summary: Summary) -> None:
    if summary.seen == 0:
        raise SourceError("The source has no rows.")
    if summary.rows == 0:
        raise ValueError(
            "All weights are zero (sample_weight times class_weight); at least one row must count."
        )
    if not np.isfinite(summary.weight):
        raise ValueError("The sum of the weights (times class_weight) is too large for a float64.")


def _schema_name(source: Source) -> str:
    return f"the schema {os.fspath(source.schema or '')!r}"


def _keep_schema(estimator: Any, source: Source, coded: CodedSchema) -> None:
    """Write the schema of a fit that goes on, unless it is there; another one is refused."""
    if source.schema is None:
        return
    known = _schema_file.read(source.schema, estimator, source)
    if known is None:
        _schema_file.write(source.schema, estimator, source, coded)
    elif known.to_document() != coded.to_document():
        raise _schema_file.SchemaError(
            f"schema={os.fspath(source.schema)!r} is not the one that the fit of the checkpoint was begun "
            "with; both were left as they are."
        )


def _reader(estimator: Any, source: Source, n_jobs: int) -> tuple[RowReader, dict[Any, float]]:
    """Return how rows are read, class weights among it, which may take a pass of their own."""
    reader = RowReader(source.target, source.weight)
    if estimator.class_weight is None:
        return reader, {}
    weighed = source.parts.run(WeighClasses(reader), n_jobs)
    classes = Summary(labels=weighed.labels).classes()
    counts = np.array([weighed.weight_of[label] for label in classes.tolist()])
    by_class = class_weights(estimator.class_weight, classes, counts)
    by_label = dict(zip(classes.tolist(), by_class.tolist(), strict=True))
    return RowReader(source.target, source.weight, by_label), by_label


def _refuse_parts_of_cases(estimator: Any, columns: tuple[Column, ...], missing: list[bool]) -> None:
    if estimator.missing != "fractional":
        return
    for column, any_missing in zip(columns, missing, strict=True):
        if any_missing:
            raise ValueError(
                f"Column {column.name!r} has missing values, and missing='fractional' sends parts of rows "
                "down several branches, which is not exact from counts; use missing='best_branch' or "
                "'own_branch' with a source."
            )


def _find_codes(source: Source, begun: Begun) -> CodedParts | None:
    """Return the rows as codes if an earlier process has kept them."""
    if source.checkpoint is None or begun.rows is None:
        return None
    return source.parts.take_up(source.checkpoint, begun.rows)


def _encoder(estimator: Any, source: Source, begun: Begun, growth: _core.CountedGrowth) -> RowEncoder:
    listed = begun.coded.schema.classes.tolist()
    by_label = dict(zip(listed, begun.population.class_weight, strict=True))
    reader = RowReader(source.target, source.weight, by_label if estimator.class_weight is not None else None)
    numbers = {label: i for i, label in enumerate(listed)}
    return RowEncoder(
        reader,
        begun.coded.schema.columns,
        begun.coded.codings,
        numbers,
        estimator.missing,
        not growth.unit,
        None if source.schema is None else _schema_name(source),
    )


def _grow(
    source: Source,
    what: dict[str, str],
    begun: Begun,
    growth: _core.CountedGrowth,
    parts: CodedParts,
    n_jobs: int,
) -> None:
    coded = begun.coded
    grower = Grower(growth, coded.codings, len(coded.schema.classes), source.budget, n_jobs)
    rows, turns = begun.population.rows, 0
    with ProgressBar(source.progress, "growing", rows, "rows") as bar:
        while growth.open:
            turn = grower.plan()
            grower.run(turn, parts)
            turns += 1
            waiting = int(growth.n_rows[growth.open].sum()) if growth.open else 0
            log.info(
                "pass %d: %d nodes counted, %d by subtraction, %d fetched; %d nodes, %d rows in open ones",
                *(turns, len(turn.counted), len(turn.derived), len(turn.fetched), growth.node_count, waiting),
            )
            bar.show(rows - waiting, what=f"growing, pass {turns + 1}, {growth.node_count:,} nodes")
            if source.checkpoint is not None:
                tree, open_nodes = growth.state()
                _save(source, what, replace(begun, tree=tree, open_nodes=open_nodes))


def _save(source: Source, what: dict[str, str], begun: Begun) -> None:
    if source.checkpoint is not None:
        _checkpoint.write(source.checkpoint, what, begun)
