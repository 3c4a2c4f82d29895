"""A comparison as JSON: every score, and every test, for programs."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from ramify.experiments.fingerprint import versions

if TYPE_CHECKING:
    from ramify.experiments.comparison import Comparison

_FORMAT = "ramify comparison 1"


def comparison_json(comparison: Comparison) -> str:
    """Return the document; the same seed gives the same bytes, apart from ``fit_seconds``."""
    content = {
        "format": _FORMAT,
        "datasets": [
            {"name": name, "rows": rows, "columns": columns}
            for name, (rows, columns) in zip(comparison.datasets, comparison.sizes, strict=True)
        ],
        "models": list(comparison.models),
        "settings": dict(zip(comparison.models, comparison.settings, strict=True)),
        "reference": comparison.reference,
        "baselines": list(comparison.baselines),
        "protocol": asdict(comparison.protocol),
        "measures": {measure.name: _measure(comparison, measure.name) for measure in comparison.measures},
        "failures": [asdict(failure) for failure in comparison.failures_],
        "notes": list(comparison.notes_),
        "versions": versions(),
    }
    return json.dumps(_plain(content), indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def _measure(comparison: Comparison, name: str) -> dict[str, Any]:
    measure = next(known for known in comparison.measures if known.name == name)
    tests = comparison.tests(name)
    pairs = [
        {"dataset": dataset, "a": a, "b": b} | asdict(comparison.paired(a, b, dataset, name))
        for dataset in comparison.datasets
        for a, b in combinations(comparison.models, 2)
    ]
    return {
        "higher_is_better": measure.higher_is_better,
        "folds": comparison.folds(name),
        "means": comparison.means(name).to_numpy(),
        "standard_errors": comparison.standard_errors(name).to_numpy(),
        "corrected_t": pairs,
        "across_datasets": asdict(tests),
    }


def _plain(value: Any) -> Any:
    """Return what JSON can hold; what is no number is null, and the infinite a word."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, dict):
        return {str(name): _plain(content) for name, content in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(content) for content in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value
