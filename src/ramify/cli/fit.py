"""``ramify fit``."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.text import Text
from sklearn.model_selection import StratifiedKFold, cross_val_score

from ramify import TreeClassifier, export_text, save_model
from ramify._parameters import check_jobs, check_settings
from ramify._reading import Data, DataError, read_data
from ramify.cli.console import BAD_USAGE, console, fail
from ramify.export import percent


def fit(
    data: Annotated[
        str,
        typer.Argument(help="A CSV, TSV, Parquet, Arrow or JSON-lines file, or a data set's name."),
    ],
    target: Annotated[str | None, typer.Option(help="The column to predict.")] = None,
    criterion: Annotated[str, typer.Option(help="How splits are compared; see `ramify criteria`.")] = "gain",
    q: Annotated[float | None, typer.Option(help="The order of the entropy: 1 Shannon, 2 Gini.")] = None,
    branching: Annotated[str, typer.Option(help="binary, or multiway: one branch a category.")] = "binary",
    max_depth: Annotated[int | None, typer.Option(help="The longest path.")] = None,
    min_samples_leaf: Annotated[int, typer.Option(help="The fewest rows of a branch.")] = 1,
    jobs: Annotated[int, typer.Option(help="Threads; -1 for all cores.")] = 1,
    folds: Annotated[int, typer.Option(help="Folds of the cross-validation; 0 for none.")] = 5,
    show_depth: Annotated[int, typer.Option(help="Levels of the tree to print.")] = 4,
    save: Annotated[Path | None, typer.Option(help="Write the model to this JSON file.")] = None,
) -> None:
    """Grow a tree and show it.

    Examples: `ramify fit titanic`, `ramify fit data.csv --target churn --q 1.5 --max-depth 4`.
    """
    model = TreeClassifier(
        criterion=criterion,
        q=q,
        branching=branching,
        max_depth=max_depth,
        min_samples_leaf=min_samples_leaf,
        n_jobs=jobs,
    )
    try:
        check_settings(model, n_rows=2, weight=2.0, names=["x"], named=True)
        check_jobs(jobs)
    except (TypeError, ValueError) as error:
        raise fail(str(error), BAD_USAGE) from None
    try:
        table = read_data(data, target)
        start = time.perf_counter()
        model.fit(table.X, table.y)
        seconds = time.perf_counter() - start
        scores = _cross_validate(model, table, folds)
        if save is not None:
            save_model(model, save)
    except (DataError, OSError, TypeError, ValueError) as error:
        raise fail(str(error).strip()) from None
    _report(model, table, scores, seconds, show_depth)
    if save is not None:
        console.print(f"saved     {save}", highlight=False)


def _cross_validate(model: TreeClassifier, data: Data, folds: int) -> list[float]:
    fewest = min(Counter(data.y.tolist()).values())
    folds = min(folds, fewest)
    if folds < 2:
        return []
    splitter = StratifiedKFold(folds, shuffle=True, random_state=0)
    return [float(score) for score in cross_val_score(model, data.X, data.y, cv=splitter)]


def _report(model: TreeClassifier, data: Data, scores: list[float], seconds: float, show_depth: int) -> None:
    kinds = Counter("nominal" if column.nominal else "numeric" for column in model.schema_.columns)
    told = " and ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    tree = model.tree_
    counts = tree.counts[0]
    majority = int(np.argmax(counts))
    console.print(
        f"[bold]{data.name}[/]: {data.X.height:,} rows, {told} columns, target [bold]{data.target}[/]",
        highlight=False,
    )
    console.print()
    console.print(Text(export_text(model, max_depth=show_depth)), soft_wrap=True)
    console.print()
    accuracy = f"{model.score(data.X, data.y):.1%} on these rows"
    if scores:
        accuracy += (
            f", {np.mean(scores):.1%} ± {np.std(scores, ddof=1) / len(scores) ** 0.5:.1%} on rows not seen "
            f"({len(scores)}-fold cross-validation)"
        )
    baseline = f"{counts[majority] / counts.sum():.1%} by always saying {model.classes_[majority]}"
    size = f"{tree.node_count} nodes, {tree.n_leaves} leaves, depth {tree.max_depth}"
    importances = model.feature_importances_
    order = [i for i in np.argsort(-importances, kind="stable")[:4] if importances[i] > 0]
    telling = ", ".join(f"{model.schema_.names[i]} {percent(importances[i])}" for i in order) or "none"
    for name, value in (
        ("accuracy", accuracy),
        ("baseline", baseline),
        ("size", size),
        ("telling", telling),
        ("time", f"{seconds * 1000:.1f} ms"),
    ):
        console.print(f"[bold]{name:<9}[/] {value}", highlight=False, soft_wrap=True)
