"""The page: data, script and style in one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any


@cache
def _part(name: str) -> str:
    """Return a part of the page that is built from `web/`."""
    return files("ramify.viewer").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


@cache
def _policy() -> str:
    """Return the page's security policy: this script and this style, and nothing from anywhere else."""
    return (
        f"default-src 'none'; script-src {_hash(_part('explorer.js'))}; "
        f"style-src {_hash(_part('explorer.css'))}; base-uri 'none'; form-action 'none'"
    )


def packed(data: dict[str, Any]) -> str:
    """Return data as letters that mean nothing to HTML: JSON, compressed, in base64."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode(), 6)).decode()


def render(data: dict[str, Any], title: str) -> str:
    """Return the page as HTML.

    Whatever names hold is harmless: the title is escaped, the data are base64, the page makes its elements
    without parsing HTML, and its policy forbids every script but its own.
    """
    shown = title.encode("utf-8", "replace").decode()  # half a surrogate pair is no text
    parts = {
        "policy": _policy(),
        "title": escape(shown),
        "style": _part("explorer.css"),
        "data": packed(data),
        "script": _part("explorer.js"),
    }
    # In one go, so that no part is searched for the marks of others.
    return re.sub(r"\{\{(\w+)\}\}", lambda mark: parts[mark[1]], _part("page.html"))
