"""Why a node asks what it asks: every number in the words is that of the count table."""

import re
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from missing_samples import WAYS, mixed
from ramify import TreeClassifier, TreeClassifierCV, c45, datasets, list_criteria, measures, prune, why
from ramify.explaining.amounts import from_to, number, percent
from ramify.tree import Tree
from samples import BRANCHINGS, numbers, people

BIT = np.log(2)
CRITERIA = [info.name for info in list_criteria()]


@pytest.fixture(scope="module")
def titanic():
    return datasets.load("titanic", return_X_y=True)


def table_of(model, node=0):
    table = model.tree_.counts[list(model.tree_.children(node))]
    return table[table.sum(axis=1) > 0]


def expected(name, table, q):  # noqa: PLR0911
    """What the words must hold, from the measures alone; the score where a criterion has no other words."""
    weight, order = table.sum(), {} if q is None else {"q": q}
    score = float(getattr(measures, name)(table, **order))
    impurity = float(measures.entropy(table.sum(axis=0), 1.0 if q is None else q))
    right = float(measures.purity(table)) * weight
    if name == "gain":
        scale = {1.0: 1 / BIT, 2.0: 100.0}.get(q, 1.0)
        return list(from_to(scale * impurity, scale * (impurity - score), 3 if q in (1.0, 2.0) else 4))
    if name == "lopez_de_mantaras":
        return [percent(score), number(float(measures.entropy(table.ravel())) / BIT, 3)]
    if name == "normalized_distance":
        return [percent(-score)]
    if name in ("purity", "purity_flat"):
        return [f"{number(right)} of {number(weight)} are right ({percent(right / weight)})"]
    if name == "generalized_gini":
        return [f"{number(weight - right)} of {number(weight)} are wrong"]
    if name in ("maxdif", "maxdif_clipped"):
        return [f"{number(score * weight)} more right than wrong"]
    if name == "jensen_shannon" and q == 1.0:
        return [f"{number(score / BIT, 3)} bits"]
    return [number(abs(score))]


@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("name", CRITERIA)
def test_every_criterion_has_words_whose_numbers_are_the_measures(name, branching, titanic):
    info = next(info for info in list_criteria() if info.name == name)
    if info.two_branches_only and branching == "multiway":
        pytest.skip("splits in two only")
    for q in (0.5, 1.0, 2.0, 3.5) if info.takes_order else (None,):
        model = TreeClassifier(name, q=q, branching=branching, n_runner_ups=2, max_depth=3).fit(*titanic)
        inner = np.flatnonzero(model.tree_.n_children > 0)
        assert len(inner) > 1
        for node in inner:
            reason = why(model, int(node))
            words = reason.sentences[2]
            for text in expected(name, table_of(model, node), q):
                assert text in words, (text, words)
            assert len(reason.runner_ups) == len(model.tree_.runner_ups(node))
            assert "nan" not in str(reason) and "When the tree was grown" not in str(reason)


@pytest.mark.parametrize("name", CRITERIA)
def test_a_runner_up_is_told_in_the_terms_of_its_own_table(name, titanic):
    """The stump of the losing column says of itself just what the winner says of the loser."""
    X, y = titanic
    reason = why(TreeClassifier(name, n_runner_ups=1).fit(X, y))
    (loser,) = reason.runner_ups
    stump = TreeClassifier(name, max_depth=1).fit(X.iloc[:, [loser.column]], y)
    amount = re.search(r"with (?:\D*)([\d.,]*\d%?)", reason.sentences[-1]).group(1)
    weight, score = 2201, loser.score
    assert score == pytest.approx(stump.tree_.score[0], rel=1e-12)
    assert score <= float(stump.tree_.score[0]) + 1e-12
    table, info = table_of(stump), next(info for info in list_criteria() if info.name == name)
    measured = float(getattr(measures, name)(table))
    texts = {number(abs(measured)), percent(abs(measured)), number(abs(measured) * weight)}
    if info.takes_order:
        texts |= {number(100 * measured, 3), number(measured / BIT, 3)}
    assert amount in texts


def test_a_whole_text(titanic):
    reason = why(TreeClassifier("generalized_gini", n_runner_ups=2).fit(*titanic), cases="passengers")
    assert (
        str(reason).splitlines()
        == list(reason.sentences)
        == [
            "Of 2,201 passengers, asking about sex first leaves 493 wrong instead of 711.",
            "sex = female: 470 passengers, 344 yes and 126 no; "
            "sex = male: 1,731 passengers, 1,364 no and 367 yes.",
            "When every branch answers with its most common class, 493 of 2,201 are wrong (22.4%).",
            "Second came the question whether status is first, with 630 wrong instead of 493.",
            "Third came the question about age, with 706 wrong instead of 493.",
        ]
    )


def test_wrong_before_and_after_are_those_of_smaller_trees(titanic):
    X, y = titanic
    model = TreeClassifier("gain_ratio").fit(X, y)
    stump = TreeClassifier("gain_ratio", max_depth=1).fit(X, y)
    after, before = (stump.predict(X) != y).sum(), (np.asarray(y) != "no").sum()
    assert f"leaves {after:,} wrong instead of {before:,}." in why(model).sentences[0]


def test_the_cut_is_told_by_how_it_was_searched_for():
    X, y = people(rows=200)
    told = set()
    for model in (
        TreeClassifier(),
        TreeClassifier("distance", q=0.5),
        TreeClassifier(cuts="quantile"),
        c45(),
    ):
        model.fit(X, y)
        for node in np.flatnonzero(model.tree_.n_children > 0).tolist():
            sentence = why(model, node).sentences[3]
            kind = model.tree_.kind[node]
            if kind == 1 and model.cuts == "quantile":
                assert "only where cuts='quantile' allows it" in sentence
            elif kind == 1:
                said = (
                    "No other cut of " if model.dialect == "plain" else "was chosen by the dialect's own rule"
                )
                assert said in sentence
            elif kind == 2 and (model.tree_.routes_of(node) >= 0).sum() > 2:
                assert (" but not all; a better one may exist" in sentence) == (model.tree_.search[node] == 3)
            told.add((int(kind), int(model.tree_.search[node])))
    assert {kind for kind, _ in told} >= {1, 2}


def test_criteria_of_ones_own(titanic):
    def fewest_wrong(tables):
        return -(tables.sum(axis=2) - tables.max(axis=2)).sum(axis=1)

    model = TreeClassifier(fewest_wrong, n_runner_ups=1).fit(*titanic)
    reason = why(model)
    own = number(float(fewest_wrong(table_of(model)[None])[0]))
    assert reason.sentences[2] == f"Your own criterion, fewest_wrong, gives it a score of {own}."
    assert reason.sentences[3].endswith(f"instead of {own}.")
    unnamed = why(TreeClassifier(lambda tables: 2 * fewest_wrong(tables)).fit(*titanic))
    assert "lambda" not in str(unnamed)


def test_a_registered_criterion_without_words_of_its_own_is_told_by_its_meaning(titanic, monkeypatch):
    from ramify.explaining import terms

    monkeypatch.setattr(terms, "_WORDS", {})
    for info in list_criteria():
        words = why(TreeClassifier(info.name, n_runner_ups=1).fit(*titanic)).sentences[2]
        assert info.meaning in words
        model = TreeClassifier(info.name).fit(*titanic)
        assert f"a score of {number(float(getattr(measures, info.name)(table_of(model))))}." in words


def test_runner_ups_that_were_not_kept_and_that_there_are_not(titanic):
    X, y = titanic
    assert why(TreeClassifier().fit(X, y)).sentences[-1].endswith("fit with n_runner_ups=3 to see it.")
    alone = TreeClassifier(n_runner_ups=3).fit(X[["sex"]], y)
    assert why(alone).sentences[-1] == "No other column could be asked about here."


def test_ties_say_that_the_first_column_is_asked_about():
    x = np.array([0.0, 0, 1, 1])
    text = str(why(TreeClassifier(n_runner_ups=1).fit(np.column_stack([x, x]), [0, 0, 1, 1])))
    assert "just as much; among equals the first column is asked about" in text


def test_a_forced_split_is_not_excused_by_its_score(titanic):
    model = TreeClassifier(split_order=["age", None, "sex"], n_runner_ups=2).fit(*titanic)
    text = str(why(model))
    assert "split_order asks for age here" in text
    assert "n_runner_ups" not in text and "could be asked" not in text
    assert "split_order" not in str(why(model, 1))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("branching", BRANCHINGS)
def test_missing_values_are_counted_and_told_where_they_go(way, branching):
    sample = mixed(150)
    model = TreeClassifier(missing=way, branching=branching, n_runner_ups=2).fit(sample.frame, sample.y)
    tree = model.tree_
    gone = {-2: "go down every branch", -1: "stay here"}
    told = 0
    for node in np.flatnonzero(tree.n_children > 0).tolist():
        text = str(why(model, node))
        unknown = float(tree.unknown[node])
        assert ("is missing in" in text) == (unknown > 0)
        if unknown > 0:
            told += 1
            assert f"is missing in {number(unknown)}" in text
            assert gone.get(int(tree.missing_route[node]), "which go to ") in text
        if way != "fractional":
            assert "When the tree was grown" not in text
    assert told
    assert way != "fractional" or "is worth their share" in str(why(model))


def test_weights_are_called_weights(titanic):
    X, y = titanic
    real = np.where(np.asarray(y) == "yes", 0.5, 1.25)
    assert "(by weight)" in why(TreeClassifier().fit(X, y, sample_weight=real)).sentences[0]
    balanced = why(TreeClassifier(class_weight="balanced").fit(X, y))
    assert "(by weight)" in balanced.sentences[0]
    doubled = why(TreeClassifier(class_weight={"yes": 2}).fit(X, y))
    assert "(by weight)" in doubled.sentences[0]
    copies = why(TreeClassifier().fit(X, y, sample_weight=np.full(len(y), 2)))
    assert copies.sentences[0] == "Of 4,402 cases, asking about sex first leaves 986 wrong instead of 1,422."


def test_wrong_is_counted_by_the_answers_of_the_model(titanic):
    X, y = titanic
    model = TreeClassifier(cost_matrix=[[0, 1], [9, 0]], max_depth=1).fit(X, y)
    wrong = (model.predict(X) != y).sum()
    assert f"leaves {wrong:,} wrong" in str(why(model))
    leaf = int(np.flatnonzero(model.tree_.counts.argmax(axis=1) != model._answers.votes)[-1])
    assert "but the costs make another answer the better one" in str(why(model, leaf))


# Leaves


def leaves(model):
    return np.flatnonzero(model.tree_.n_children == 0).tolist()


def test_leaves_say_why_they_ask_no_more(titanic):
    X, y = titanic
    full = TreeClassifier().fit(X, y)
    reasons = {
        "max_depth=1": TreeClassifier(max_depth=1),
        "min_samples_split=2000": TreeClassifier(min_samples_split=2000),
        "min_samples_leaf=300": TreeClassifier(min_samples_leaf=300),
        "max_leaf_nodes=2": TreeClassifier(max_leaf_nodes=2),
        "min_impurity_decrease=0.05": TreeClassifier(min_impurity_decrease=0.05),
        "No column is left": TreeClassifier(),
        "pruning='pessimistic'": TreeClassifier(pruning="pessimistic"),
        "pruning='cost_complexity'": TreeClassifier(ccp_alpha=0.01),
    }
    for text, model in reasons.items():
        model.fit(X, y)
        assert any(text in str(why(model, leaf)) for leaf in leaves(model)), text
    assert any("pruning='merge'" in str(why(prune(full, "merge"), n)) for n in leaves(prune(full, "merge")))


def test_leaves_give_their_answer_with_counts(titanic):
    model = TreeClassifier("gain_ratio", branching="multiway").fit(*titanic)
    tree, seen = model.tree_, set()
    for leaf in leaves(model):
        reason = why(model, leaf)
        answer = model.classes_[model._answers.votes[leaf]]
        counts = tree.counts[leaf]
        if counts.sum() == 0:
            assert reason.sentences == (
                f"No training case got here, so the answer is that of the node above: {answer}.",
            )
            seen.add("empty")
        elif (counts > 0).sum() == 1:
            assert f"The answer is {answer}: the {number(counts.sum())} case" in reason.sentences[0]
            seen.add("pure")
        else:
            right = counts.max()
            wrong = counts.sum() - right
            verb = "is" if right == 1 else "are"
            assert f"so {verb} {number(right)} of the {number(counts.sum())} cases" in reason.sentences[0]
            assert f"and {number(wrong)} {'is' if wrong == 1 else 'are'} not." in reason.sentences[0]
            seen.add("mixed")
        assert reason.runner_ups == ()
    assert seen == {"empty", "pure", "mixed"}


# All sorts of trees


@pytest.mark.parametrize(
    "model",
    [
        c45(n_runner_ups=3),
        TreeClassifier(min_support=0.1, n_runner_ups=2),
        TreeClassifier("purity", min_support=5, n_runner_ups=2),
        TreeClassifier("purity_flat", min_support=5, branching="multiway", n_runner_ups=2),
        TreeClassifier(cuts="quantile", max_bins=8, n_runner_ups=2),
        TreeClassifier(cuts="gaussian", n_runner_ups=2),
        TreeClassifier(max_features=2, random_state=0, n_runner_ups=9),
        TreeClassifier(pruning="reduced_error", random_state=0, n_runner_ups=2),
        TreeClassifierCV(qs=[1, 2], cv=2),
    ],
    ids=lambda model: type(model).__name__,
)
def test_every_node_of_every_sort_of_tree_has_words(model):
    X, y = people(rows=200)
    model = clone(model).fit(X, y)
    for node in range(model.tree_.node_count):
        reason = why(model, node)
        assert reason.node == node and all(text.endswith(".") for text in reason.sentences)
        assert "nan" not in str(reason) and "inf" not in str(reason)


def test_raised_splits_say_that_they_were_moved():
    X, y = mixed(400, share=0.05).frame, mixed(400, share=0.05).y
    model = c45(n_runner_ups=1).fit(X, y)
    for node in np.flatnonzero(model.tree_.n_children > 0).tolist():
        text = str(why(model, node))
        same = model.tree_.score[node] == pytest.approx(measures.gain_ratio(table_of(model, node)), rel=1e-6)
        assert same or "When the tree was grown, its score was" in text


@pytest.mark.parametrize("name", CRITERIA)
def test_raised_splits_of_any_criterion_have_words(name):
    """A raised split may send all cases down one branch, of which some criteria have no score."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = pd.DataFrame(
        {"a": y + rng.normal(0, 0.8, 200), "b": rng.normal(size=200), "c": y + rng.normal(0, 1.5, 200)}
    )
    pruned = prune(TreeClassifier(name, n_runner_ups=1).fit(X, y), X=X, y=y, raising=True, confidence=0.5)
    assert pruned.tree_.node_count > 1
    for node in range(pruned.tree_.node_count):
        assert "nan" not in str(why(pruned, node))


def test_a_split_whose_cases_all_go_down_one_branch(titanic):
    model = TreeClassifier("twoing", max_depth=1).fit(*titanic)
    arrays = {array: values.copy() for array, values in model.tree_.arrays().items()}
    arrays["counts"][1] += arrays["counts"][2]  # as pruning leaves a split that it raised
    arrays["n_rows"][1] += arrays["n_rows"][2]
    arrays["counts"][2], arrays["n_rows"][2] = 0, 0
    model._set_fitted(model.schema_, Tree.from_arrays(arrays, 2), model.class_weight_)
    assert "where all cases go down one branch" in str(why(model))


def test_it_is_quick():
    X, _ = numbers(rows=4000, columns=8)
    model = TreeClassifier(n_runner_ups=3).fit(X, np.random.default_rng(0).integers(0, 3, 4000))
    nodes = range(300)
    best = min(_seconds(model, nodes) for _ in range(2))
    assert best / len(nodes) < 0.003  # three times what it takes on a slow machine


def _seconds(model, nodes):
    start = time.process_time()
    for node in nodes:
        str(why(model, node))
    return time.process_time() - start


def test_deep_trees():
    model = TreeClassifier("distance").fit(np.arange(2001.0)[:, None], np.arange(2001) % 2)
    assert model.get_depth() > 500
    assert "here" in str(why(model, model.tree_.node_count - 1))


def test_labels_that_are_numbers_are_not_read_as_counts():
    text = str(why(TreeClassifier().fit(*numbers())))
    assert "of class 1" in text


def test_bad_nodes_and_models(titanic):
    with pytest.raises(NotFittedError):
        why(TreeClassifier())
    model = TreeClassifier(max_depth=1).fit(*titanic)
    for node in (-1, 3, 1.5, "0", None):
        with pytest.raises(ValueError, match=r"node=.* is not accepted; it must be a node from 0 to 2\."):
            why(model, node)


def test_long_lists_of_categories_are_cut():
    codes = np.repeat(np.arange(30), 3)
    X = pd.DataFrame({"city": pd.Categorical.from_codes(codes, [f"c{i:02}" for i in range(30)])})
    assert "whether city is c00, c02, c04, c06, c08, c10 or 9 more" in str(
        why(TreeClassifier().fit(X, codes % 2))
    )
