"""Reports as text, Markdown, HTML and JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ramify.experiments.render.html import html_of
from ramify.experiments.render.json import json_of
from ramify.experiments.render.markdown import markdown_of
from ramify.experiments.render.text import text_of
from ramify.experiments.report import Report

__all__ = ["FORMATS", "Rendered", "render"]


@dataclass(frozen=True)
class Rendered:
    """A document, and the files beside it that it refers to, by their names."""

    text: str
    files: dict[str, bytes] = field(default_factory=dict)


def _text(reports: Sequence[Report], stem: str) -> Rendered:
    return Rendered(text_of(reports))


def _json(reports: Sequence[Report], stem: str) -> Rendered:
    return Rendered(json_of(reports))


def _html(reports: Sequence[Report], stem: str) -> Rendered:
    return Rendered(html_of(reports))


def _markdown(reports: Sequence[Report], stem: str) -> Rendered:
    return Rendered(*markdown_of(reports, stem))


_MAKERS: dict[str, Callable[[Sequence[Report], str], Rendered]] = {
    "text": _text,
    "json": _json,
    "html": _html,
    "markdown": _markdown,
}

#: What `render` can make.
FORMATS = tuple(_MAKERS)


def render(reports: Report | Sequence[Report], format: str = "text", *, stem: str = "report") -> Rendered:
    """Make a document of one report or of several.

    Parameters
    ----------
    reports : Report or sequence of reports
        What to show.
    format : {"text", "json", "html", "markdown"}, default="text"
        Text without any colours (needs rich); JSON with sorted keys, times apart; HTML in one file that
        needs no network; Markdown with its pictures in files of their own.
    stem : str, default="report"
        The pictures of Markdown are named ``STEM_files/NUMBER.svg``.

    Returns
    -------
    Rendered
        `text`, and `files` by their names relative to the document.

    Raises
    ------
    ValueError
        If there is no such format.
    """
    if format not in _MAKERS:
        raise ValueError(f"format={format!r} is not known; the formats are {', '.join(FORMATS)}.")
    several = [reports] if isinstance(reports, Report) else list(reports)
    return _MAKERS[format](several, stem)
