"""Trees as nested plain Python: dicts, lists, texts and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from ramify._conditions import branch_texts
from ramify._parameters import check_shown
from ramify._parts import branch_shares
from ramify.tree import KINDS

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier

__all__ = ["export_dict"]


def export_dict(model: TreeClassifier, *, max_depth: int | None = None) -> dict[str, Any]:
    """Return the tree as nested dicts, with all that is needed to show it or to predict by it.

    Parameters
    ----------
    model : TreeClassifier
        Fitted.
    max_depth : int, optional
        Nodes below this depth are left out; those at it look like leaves with ``"hidden"``, the number of
        nodes below them.

    Returns
    -------
    dict
        ``"columns"``: for each its ``"name"``, and its ``"categories"`` if it is nominal.
        ``"classes"``: in the order of all lists of counts and shares.
        ``"missing"``, ``"handle_unknown"``, ``"cost_matrix"``: the parameters that matter in prediction.
        ``"tie_tolerance"``: a later class must beat an earlier one by more than this.
        ``"tree"``: the root.

        A node has ``"node"`` (its number), ``"rows"``, ``"counts"``, ``"answer"`` (the class it predicts),
        ``"probabilities"`` and ``"votes"`` (the shares by which a row that ends here in part votes; with
        class weights they are not the probabilities). A node that splits has ``"question"``: the
        ``"column"``, the ``"kind"`` (``"threshold"``, ``"subset"``, ``"multiway"`` or ``"known"``), the
        ``"threshold"`` and
        ``"missing"``: the branch of a missing value, ``"stays"`` if it gets the answer of this node, or
        ``"all"`` if it goes down all branches in part. And ``"branches"``: for each its ``"condition"`` in
        words, its ``"categories"`` if the split is nominal, the parts of such a row that it takes
        (``"share"``, and ``"vote_share"`` for votes) and the ``"child"``.

        A category that no branch lists stays in the node and gets its answer.

    Examples
    --------
    >>> from ramify import TreeClassifier, export_dict
    >>> model = TreeClassifier().fit([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    >>> root = export_dict(model)["tree"]
    >>> root["question"]
    {'column': 'x0', 'kind': 'threshold', 'threshold': 1.5, 'missing': 'all'}
    >>> [(branch["condition"], branch["child"]["answer"]) for branch in root["branches"]]
    [('x0 <= 1.5', 'a'), ('x0 > 1.5', 'b')]
    """
    check_is_fitted(model, "tree_")
    check_shown(max_depth)
    tree, costs = model.tree_, model._answers.answering["costs"]
    nodes = _Nodes(model)
    root = nodes.plain(0)
    # A stack instead of recursion: trees may be deeper than Python's stack.
    stack = [(0, 0, root)]
    while stack:
        node, depth, entry = stack.pop()
        if tree.n_children[node] == 0:
            continue
        if max_depth is not None and depth >= max_depth:
            entry["hidden"] = int(nodes.below[node])
            continue
        entry["question"], entry["branches"] = nodes.question(node), nodes.branches(node)
        for branch, child in zip(entry["branches"], tree.children(node), strict=True):
            branch["child"] = nodes.plain(child)
            stack.append((child, depth + 1, branch["child"]))
    return {
        "columns": [
            {"name": column.name}
            | ({"categories": list(column.categories)} if column.categories is not None else {})
            for column in model.schema_.columns
        ],
        "classes": model.classes_.tolist(),
        "missing": model.missing,
        "handle_unknown": model.handle_unknown,
        "cost_matrix": None if costs is None else costs.tolist(),
        "tie_tolerance": model._answers.answering["tolerance"],
        "tree": root,
    }


class _Nodes:
    """The nodes of a model as plain Python."""

    def __init__(self, model: TreeClassifier) -> None:
        self.model, self.tree = model, model.tree_
        answers = model._answers
        self.votes, self.vote_shares, self.shares = answers.votes, answers.vote_shares, answers.shares
        self.parts = branch_shares(self.tree, answers.part_weights)
        self.vote_parts = branch_shares(self.tree)
        self.below = self.tree.sizes_below()

    def plain(self, node: int) -> dict[str, Any]:
        """Return what every node has."""
        return {
            "node": node,
            "rows": int(self.tree.n_rows[node]),
            "counts": self.tree.counts[node].tolist(),
            "answer": self.model.classes_[self.votes[node] : self.votes[node] + 1].tolist()[0],
            "probabilities": self.shares[node].tolist(),
            "votes": self.vote_shares[node].tolist(),
        }

    def question(self, node: int) -> dict[str, Any]:
        """Return what a node asks."""
        tree, kind = self.tree, KINDS[self.tree.kind[node]]
        route = int(tree.missing_route[node])
        ways: dict[int, str] = {-1: "stays", -2: "all"}
        asked: dict[str, Any] = {
            "column": self.model.schema_.columns[int(tree.column[node])].name,
            "kind": kind,
        }
        if kind == "threshold":
            asked["threshold"] = float(tree.threshold[node])
        return asked | {"missing": ways.get(route, route)}

    def branches(self, node: int) -> list[dict[str, Any]]:
        """Return the branches of a node, without their children."""
        tree, schema = self.tree, self.model.schema_
        every = len(schema.columns[int(tree.column[node])].categories or ())
        found = []
        for i, text in enumerate(branch_texts(schema, tree, node, max_categories=every)):
            branch: dict[str, Any] = {"condition": text}
            if KINDS[tree.kind[node]] in ("subset", "multiway"):
                categories = schema.columns[int(tree.column[node])].categories or ()
                routes = tree.routes_of(node)
                branch["categories"] = [categories[code] for code in (routes == i).nonzero()[0]]
            if tree.missing_route[node] == -2:
                child = int(tree.first_child[node]) + i
                branch["share"], branch["vote_share"] = (
                    float(self.parts[child]),
                    float(self.vote_parts[child]),
                )
            found.append(branch)
        return found
