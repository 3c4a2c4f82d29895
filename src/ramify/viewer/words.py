"""Words for the nodes of a page: why a split was chosen, and which ones came next."""

from __future__ import annotations

from typing import Any

from ramify.estimator import TreeClassifier
from ramify.viewer.subject import Subject
from ramify.viewer.texts import Texts


class Words:
    """The words of all trees of a page.

    Parameters
    ----------
    subject : Subject
        The trees.
    texts : Texts
        Where the sentences go.
    """

    def __init__(self, subject: Subject, texts: Texts) -> None:
        self._texts = texts

    def of(self, model: TreeClassifier) -> dict[str, Any]:
        """Return the words of a tree, node by node."""
        return {"why": [], "runner_ups": {}}
