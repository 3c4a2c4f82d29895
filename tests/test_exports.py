"""Trees as plain Python, DOT and Mermaid."""

import json
import re

import numpy as np
import pandas as pd
import pydot
import pytest
from sklearn.exceptions import NotFittedError

from model_kinds import KINDS
from ramify import TreeClassifier, export_dict, export_dot, export_mermaid, export_text
from ramify.export.dot import escape as escape_dot
from ramify.export.mermaid import escape as escape_mermaid

NASTY = [
    'say "hi" & <b>',
    "back\\slash\\n",
    "a#35;b",
    "`tick`",
    "*bold* _it_ a_b",
    "1. one",
    "- x",
    "[l](u)|",
    "日本\n\t",
]


def walk(node, row, share, ends):
    """The nodes where a row ends and its parts there, in the order of prediction; `share` names the parts."""
    stack = [(node, 1.0)]
    while stack:
        node, part = stack.pop()
        taken = branches_of(node, row)
        if taken is None:
            ends.append((node, part))
        elif taken == "all":
            stack += [(b["child"], part * b[share]) for b in node["branches"] if b[share] > 0]
        else:
            stack.append((node["branches"][taken]["child"], part))


def branches_of(node, row):
    """The number of the branch that a row takes, "all", or None if it ends here."""
    if "question" not in node:
        return None
    asked = node["question"]
    value = row[asked["column"]]
    if value is None or value != value:
        return None if asked["missing"] == "stays" else asked["missing"]
    if asked["kind"] == "threshold":
        return 0 if value <= asked["threshold"] else 1
    if asked["kind"] == "known":
        return 0
    found = [i for i, branch in enumerate(node["branches"]) if value in branch["categories"]]
    return found[0] if found else None


def predict(exported, row):
    """Class and probabilities of a row, by nothing but the dict."""
    shares = []
    for share, answer in (("share", "probabilities"), ("vote_share", "votes")):
        ends = []
        walk(exported["tree"], row, share, ends)
        total = np.zeros(len(exported["classes"]))
        for node, part in ends:
            total += part * np.array(node[answer])
        shares.append(total)
    worth = shares[1]
    if exported["cost_matrix"] is not None:
        costs = np.array(exported["cost_matrix"])
        worth = -(shares[1] @ (costs / costs.max()))
    best = 0
    for k in range(1, len(worth)):
        best = k if worth[k] > worth[best] + exported["tie_tolerance"] else best
    return exported["classes"][best], np.minimum(shares[0], 1.0)


@pytest.mark.parametrize("name", KINDS)
def test_the_dict_predicts_what_the_model_predicts(name):
    model, rows = KINDS[name]()
    exported = json.loads(json.dumps(export_dict(model)))  # it is plain
    frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(rows, columns=model.schema_.names)
    found = [
        predict(exported, row) for row in frame.astype(object).where(frame.notna(), None).to_dict("records")
    ]
    assert [answer for answer, _ in found] == model.predict(rows).tolist()
    np.testing.assert_array_equal(np.array([shares for _, shares in found]), model.predict_proba(rows))


def test_the_dict_says_what_it_leaves_out():
    model, _ = KINDS["numeric"]()
    exported = export_dict(model, max_depth=1)
    children = [branch["child"] for branch in exported["tree"]["branches"]]
    assert all("question" not in child for child in children)
    assert sum(child.get("hidden", 0) for child in children) + 3 == model.tree_.node_count


def nasty_model():
    X = pd.DataFrame({NASTY[0]: np.arange(36.0), NASTY[1]: pd.Categorical(NASTY * 4)})
    return TreeClassifier(branching="multiway").fit(X, NASTY * 4)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the parser's own parser
@pytest.mark.parametrize("name", [*KINDS, "nasty"])
def test_dot_is_read_by_a_parser(name):
    model = nasty_model() if name == "nasty" else KINDS[name]()[0]
    (graph,) = pydot.graph_from_dot_data(export_dot(model))
    nodes = [node for node in graph.get_nodes() if node.get_name() not in ("node", "edge", '"\\n"')]
    edges = {(int(e.get_source()[1:]), int(e.get_destination()[1:])) for e in graph.get_edges()}
    assert len(nodes) == model.tree_.node_count
    parents = model.tree_.parent
    assert edges == {(int(parents[child]), child) for child in range(1, model.tree_.node_count)}


@pytest.mark.parametrize("text", NASTY)
def test_dot_shows_every_text_as_it_is(text):
    quoted = escape_dot(text)
    assert re.fullmatch(r'(?:[^"\\]|\\["\\])*', quoted, re.DOTALL)
    shown = re.sub(r"\\(.)", r"\1", quoted).replace("&amp;", "&")
    assert shown == text


LABEL = r'"(?:[^"#&<>`\\*~|\[\]]|#(?:quot|lt|gt|amp|\d+);|<br/>)*"'
MERMAID = re.compile(
    rf"  n\d+(?:below)?(?:\[{LABEL}\]|\(\[{LABEL}\]\))|  n\d+ -->(?:\|{LABEL}\|)? n\d+(?:below)?"
)


@pytest.mark.parametrize("name", [*KINDS, "nasty"])
def test_mermaid_keeps_to_its_grammar(name):
    model = nasty_model() if name == "nasty" else KINDS[name]()[0]
    first, *lines = export_mermaid(model, direction="LR").splitlines()
    assert first == "flowchart LR"
    for line in lines:
        assert MERMAID.fullmatch(line), line
    assert len(lines) == 2 * model.tree_.node_count - 1


@pytest.mark.parametrize("text", NASTY)
def test_mermaid_shows_every_text_as_it_is(text):
    quoted = escape_mermaid(text)
    names = {"quot": '"', "lt": "<", "gt": ">", "amp": "&"}
    assert re.sub(r"#(\w+);", lambda m: names.get(m[1]) or chr(int(m[1])), quoted) == text
    assert not re.match(r"\d+[.)]|[-+=]\s", quoted)


@pytest.mark.parametrize("export", [export_dot, export_mermaid])
def test_drawings_count_what_they_hide(export):
    model, _ = KINDS["numeric"]()
    text = export(model, max_depth=1)
    hidden = sum(int(n) for n in re.findall(r"\.\.\. (\d+) nodes below", text))
    assert hidden + 3 == model.tree_.node_count


@pytest.mark.parametrize("export", [export_dict, export_dot, export_mermaid, export_text])
@pytest.mark.parametrize("depth", [-1, 1.5, True, "2"])
def test_depths_that_are_none_are_refused(export, depth):
    model, _ = KINDS["numeric"]()
    accepted = re.escape(f"max_depth={depth!r} is not accepted; it must be an integer >= 0.")
    with pytest.raises(ValueError, match=accepted):
        export(model, max_depth=depth)


@pytest.mark.parametrize("export", [export_dot, export_mermaid, export_text])
@pytest.mark.parametrize("name", ["digits", "max_categories"])
def test_numbers_that_show_nothing_are_refused(export, name):
    model, _ = KINDS["numeric"]()
    with pytest.raises(ValueError, match=f"{name}=0 is not accepted; it must be an integer >= 1."):
        export(model, **{name: 0})


@pytest.mark.parametrize("export", [export_dict, export_dot, export_mermaid])
def test_very_deep_trees(export):
    model = TreeClassifier("distance").fit(np.arange(4001.0)[:, None], np.arange(4001) % 2)
    assert model.get_depth() > 1000
    assert export(model)


@pytest.mark.parametrize("export", [export_dict, export_dot, export_mermaid])
def test_not_fitted(export):
    with pytest.raises(NotFittedError):
        export(TreeClassifier())


def test_direction_is_checked():
    with pytest.raises(ValueError, match="direction='up' is not accepted"):
        export_mermaid(KINDS["one-node"]()[0], direction="up")
