"""Cases in the explorer: pasted, picked and filled in."""

import json

import numpy as np

from explorer_pages import play, wine
from ramify import TreeClassifier, view


def pasted(browser, text):
    browser.run("document.querySelector('#tab-case').click()")
    browser.run("document.querySelector('#paste').closest('details').open = true")
    box = browser.find("#paste")
    box.clear()
    browser.run("arguments[0].value = arguments[1]", box, text)
    browser.click_button("Show its path")


def test_a_pasted_case_shows_its_path(browser, pages):
    model, X, _ = play()
    browser.open(pages / "play.html")
    names = list(model.feature_names_in_)
    row = X.iloc[3].tolist()
    ways = {
        "csv": ",".join(row),
        "tsv": "\t".join(row),
        "semicolons": ";".join(row),
        "header": ",".join(["id", *reversed(names)]) + "\n" + ",".join(["7", *reversed(row)]),
        "json": json.dumps(dict(zip(names, row, strict=True))),
        "list": json.dumps(row),
        "quoted": ",".join(f'"{value}"' for value in row) + "\n",
    }
    passed = model.decision_path(X.iloc[[3]]).indices.tolist()
    for text in ways.values():
        browser.click_button("Case")
        pasted(browser, text)
        assert browser.text("#answer") == model.predict(X.iloc[[3]])[0]
        assert browser.passed() == passed
        assert browser.text("#panel-case .trouble") == ""
    assert "The answer is" in browser.told()


def test_what_is_no_case_is_refused_in_words(browser, pages):
    browser.open(pages / "wine.html")
    for text, told in {
        "": "There is no case yet",
        "1,2": "needs 13 values, one a column; this one has 2",
        "{oops": "no valid JSON",
        '{"nothing": 1}': "None of the names is a column",
        '{"alcohol": "much"}': 'alcohol must be a number; "much" is none',
        '{"alcohol": [1]}': "Values must be",
    }.items():
        pasted(browser, text)
        assert told in browser.text("#panel-case .trouble")
        assert browser.all(".node.passed") == []


def test_several_pasted_cases_samples_and_the_form(browser, pages):
    model, X, y = wine()
    browser.open(pages / "wine.html")
    browser.click_button("Case")
    browser.click("[aria-label='Next case']")
    assert browser.text("#answer") == model.predict(X.iloc[[0]])[0]
    assert "true class" in browser.text("#panel-case") and f"Row 0 ({y[0]})" in browser.text("#picker")
    pasted(browser, X.iloc[[60, 150]].to_csv(index=False))
    assert browser.text("#answer") == model.predict(X.iloc[[60]])[0]
    browser.click("[aria-label='Next case']")
    assert browser.text("#answer") == model.predict(X.iloc[[150]])[0]
    browser.run("document.querySelector('#form').open = true")
    column = int(model.tree_.column[0])
    field = browser.find(f"#field-{column}")
    field.clear()
    field.send_keys("1e9")
    changed = X.iloc[[150]].copy()
    changed.iloc[0, column] = 1e9
    assert browser.text("#answer") == model.predict(changed)[0]
    field.clear()
    changed.iloc[0, column] = np.nan
    assert browser.text("#answer") == model.predict(changed)[0]
    parts = browser.all(".node .part")
    assert len(parts) > 2 and all("%" in part.text for part in parts)
    browser.click_button("Clear")
    assert browser.all(".node.passed") == [] and browser.all("#answer") == []


def test_models_that_refuse_missing_and_unknown_values(browser, tmp_path):
    _, X, y = play()
    model = TreeClassifier(missing="error", handle_unknown="error", branching="multiway").fit(X, y)
    view(model, tmp_path / "strict.html")
    browser.open(tmp_path / "strict.html")
    row = X.iloc[0].tolist()
    pasted(browser, ",".join(["", *row[1:]]))
    assert "age is missing" in browser.text(".trouble")
    pasted(browser, ",".join(["ancient", *row[1:]]))
    assert 'age has the unknown category "ancient"' in browser.text(".trouble")
    pasted(browser, ",".join(row))
    assert browser.text("#answer") == y[0]
