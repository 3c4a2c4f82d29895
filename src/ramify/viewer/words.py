"""Words for the nodes of a page: why a split was chosen, and which ones came next."""

from __future__ import annotations

from typing import Any

from ramify._conditions import number_text
from ramify.estimator import TreeClassifier
from ramify.explaining.questions import question
from ramify.explaining.why import why
from ramify.viewer.subject import Subject
from ramify.viewer.texts import Texts

#: Nodes of a page that get sentences, shared out among its trees. Nodes are numbered level by level, so the
#: ones nearest to the root have them; of the others the page tells the counts, and how to ask for the words.
MAX_NODES = 2000

#: The same for what a notebook shows unasked, which must not keep its reader waiting.
MAX_NODES_UNASKED = 300


class Words:
    """The words of all trees of a page.

    Parameters
    ----------
    subject : Subject
        The trees.
    texts : Texts
        Where the sentences go.
    max_nodes : int
        How many nodes get sentences.
    """

    def __init__(self, subject: Subject, texts: Texts, max_nodes: int = MAX_NODES) -> None:
        self._schema = subject.schema
        self._texts = texts
        self._nodes_of_a_tree = max(max_nodes // len(subject.models), 1)

    def of(self, model: TreeClassifier) -> dict[str, Any]:
        """Return the words of a tree: sentences of its first nodes, and the runner-ups of each node."""
        told = min(model.tree_.node_count, self._nodes_of_a_tree)
        return {
            "why": [
                [self._texts.add(sentence) for sentence in why(model, node).sentences] for node in range(told)
            ],
            "runner_ups": {
                str(node): self._runner_ups(model, node)
                for node in range(model.tree_.node_count)
                if model.tree_.runner_size[node] > 0
            },
        }

    def _runner_ups(self, model: TreeClassifier, node: int) -> list[list[Any]]:
        """Return the splits that a node did not choose: each with its question and its score."""
        listed = []
        for split in model.tree_.runner_ups(node):
            column = self._schema.columns[split.column]
            asked = question(column, split.kind, split.threshold, split.routes)
            listed.append([split.column, self._texts.add(asked), number_text(split.score, 4)])
        return listed
