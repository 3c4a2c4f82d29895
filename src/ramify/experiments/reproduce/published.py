"""Published values, as typed off the papers once: ``published/NAME.json`` beside this file."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def published(study: str) -> dict[str, Any]:
    """Return the values that a study's paper prints.

    Every file has the key "paper" with authors, title and year (null if it has none); the others are the
    study's own, each with the paper's number of the table, figure or slide.
    """
    path = files("ramify.experiments.reproduce") / "published" / f"{study}.json"
    values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return values


def cited(study: str) -> str:
    """Return a study's paper as one cites it.

    Examples
    --------
    >>> from ramify.experiments.reproduce.published import cited
    >>> cited("hart")
    'Jack Hart: Decision Trees: An Information Theoretic Perspective'
    """
    paper = published(study)["paper"]
    year = f" ({paper['year']})" if paper["year"] else ""
    return f"{paper['authors']}: {paper['title']}{year}"
