"""The explorer as its readers use it: a tree, with a mouse and with keys."""

import numpy as np
import pandas as pd
import pytest
from selenium.webdriver.common.keys import Keys

from explorer_pages import wine
from ramify import TreeClassifier, view, why

EVIL = '</script><img src=x onerror="window.hacked=1">{{data}}&lt;\''


def test_opens_from_disk_at_once_and_asks_for_nothing(browser, pages):
    browser.open(pages / "wine.html")
    assert browser.run("return performance.getEntriesByType('resource').length") == 0
    assert browser.text("h1") == "wine"
    assert browser.first_paint() < 1000


def test_a_click_tells_the_node_with_its_words(browser, pages):
    model = wine()[0]
    browser.open(pages / "wine.html")
    for node in (0, 1, int(np.flatnonzero(model.tree_.n_children == 0)[0])):
        browser.click_node(node)
        panel = browser.text("#panel-node")
        for sentence in why(model, node).sentences:
            assert sentence in panel
        counts = model.tree_.counts[node]
        for label, count in zip(model.classes_, counts, strict=True):
            assert count == 0 or f"{label} {count:.0f}" in " ".join(panel.split())
        assert browser.node(node).get_attribute("aria-selected") == "true"
    browser.click_node(0)
    for split in model.tree_.runner_ups(0):
        assert f"whether {model.schema_.columns[split.column].name} is" in browser.text(".runners")


def test_folding(browser, pages):
    tree = wine()[0].tree_
    browser.open(pages / "wine.html")
    browser.click_button("Open all")
    assert sorted(browser.shown()) == list(range(tree.node_count))
    browser.click_node(0, ".toggle")
    assert browser.shown() == [0]
    assert browser.node(0).get_attribute("aria-expanded") == "false"
    assert browser.text(".toggle") == f"+{tree.node_count - 1}"
    browser.click_node(0, ".toggle")
    assert len(browser.shown()) == tree.node_count
    browser.click_node(1)
    browser.click_button("Close below")
    browser.click_node(1, ".toggle")
    assert {int(child) for child in tree.children(1)} < set(browser.shown())
    assert not set(tree.children(int(tree.children(1)[0]))) & set(browser.shown())


def test_all_can_be_done_with_keys(browser, pages):
    tree = wine()[0].tree_
    browser.open(pages / "wine.html")
    browser.run("document.querySelector('#tools').lastElementChild.focus()")
    browser.press(Keys.TAB)
    assert browser.focused() == 0
    assert browser.run("return document.querySelectorAll('#tree [tabindex=\"0\"]').length") == 1
    stroke = "return getComputedStyle(document.activeElement.querySelector('.card')).strokeWidth"
    assert browser.run(stroke) == "4px"
    browser.press(Keys.ARROW_LEFT)
    assert browser.shown() == [0]
    browser.press(Keys.ARROW_RIGHT)
    browser.press(Keys.ARROW_RIGHT)
    assert browser.focused() == 1
    browser.press(Keys.ARROW_DOWN)
    below = browser.focused()
    assert below == browser.shown()[browser.shown().index(1) + 1]
    browser.press(Keys.ENTER)
    assert f"Node {below}" in browser.text("#panel-node")
    browser.press(Keys.ARROW_UP, Keys.HOME)
    assert browser.focused() == 0
    browser.press(Keys.END)
    last = browser.focused()
    assert last == browser.shown()[-1]
    browser.press(Keys.ARROW_LEFT)
    if tree.n_children[last] == 0:
        assert browser.focused() == tree.parent[last]
    browser.press("/")
    assert browser.focused() == "wanted"
    browser.press("#3", Keys.ENTER)
    assert "Node 3" in browser.text("#panel-node")
    browser.run("document.querySelector('#tab-node').focus()")
    browser.press(Keys.ARROW_RIGHT)
    assert browser.find("#paste").is_displayed() or browser.find("#picker").is_displayed()


def test_focus_is_always_in_sight(browser, pages):
    browser.open(pages / "wine.html", size=(700, 500))
    browser.click_button("Open all")
    browser.run("for (let i = 0; i < 5; ++i) document.querySelector('[aria-label=\"Zoom in\"]').click()")
    browser.run("document.querySelector('.node').focus()")
    inside = """const card = document.activeElement.querySelector('.card').getBoundingClientRect();
        const tree = document.querySelector('#tree').getBoundingClientRect();
        return card.left >= tree.left && card.right <= tree.right && card.top >= tree.top - 1
          && card.bottom <= tree.bottom + 1"""
    browser.press(Keys.HOME)
    for _ in range(8):
        browser.press(Keys.ARROW_DOWN)
        assert browser.run(inside), browser.focused()
    browser.press(Keys.END)
    assert browser.run(inside)


def test_screen_readers_are_told_the_tree(browser, pages):
    browser.open(pages / "wine.html")
    browser.command("Accessibility.enable")
    nodes = browser.command("Accessibility.getFullAXTree")["nodes"]
    items = [each for each in nodes if each.get("role", {}).get("value") == "treeitem"]
    assert len(items) == len(browser.shown())
    names = [each["name"]["value"] for each in items]
    assert names[0].startswith("All cases; asks for ") and names[0].endswith("178 cases; node 0")
    assert all("node " in name and "case" in name for name in names)
    levels = browser.run("return [...document.querySelectorAll('.node')].map(n => n.ariaLevel)")
    assert levels[0] == "1" and set(levels[1:]) > {"2", "3"}
    unnamed = [
        each
        for each in nodes
        if each.get("role", {}).get("value")
        in ("button", "textbox", "slider", "searchbox", "combobox", "tab")
        and not each.get("name", {}).get("value")
    ]
    assert unnamed == []


@pytest.mark.parametrize("wanted", ["flavanoids", "CLASS_1", "#4", "755"])
def test_search(wanted, browser, pages):
    model = wine()[0]
    browser.open(pages / "wine.html")
    browser.click("#wanted")
    browser.press(wanted)
    found = browser.text(".matches")
    browser.press(Keys.ENTER)
    told = browser.text("#panel-node")
    if wanted == "#4":
        assert found == "1" and told.startswith("Node 4")
    else:
        assert int(found) >= 1
        assert wanted.lower() in told.lower()
        assert browser.text(".matches") == f"1 of {found}"
        browser.press(Keys.SHIFT, Keys.ENTER)
    expected = np.flatnonzero(model.tree_.column == list(model.feature_names_in_).index("flavanoids"))
    if wanted == "flavanoids":
        assert int(found) >= len(expected) + 2
        assert 2 < len(browser.all(".node.found")) <= int(found)
    browser.press(Keys.ESCAPE)
    assert browser.all(".node.found") == []


def test_names_can_hold_anything(browser, tmp_path):

    columns = {
        EVIL: pd.Categorical.from_codes([0, 1, 2] * 10, [f"{EVIL}{i}" for i in "abc"]),
        "<b>": np.arange(30.0),
    }
    X, y = (
        pd.DataFrame(columns),
        np.array([f"{EVIL}no", "<script>window.hacked=2</script>"])[np.arange(30) % 3 // 2],
    )
    model = TreeClassifier(n_runner_ups=1, branching="multiway").fit(X, y)
    view(model, tmp_path / "evil.html", X=X, y=y, title=EVIL)
    browser.open(tmp_path / "evil.html")
    browser.click_node(1)
    browser.click_button("Case")
    browser.click("[aria-label='Next case']")
    browser.click_button("About")
    browser.click("#wanted")
    browser.press("<img")
    assert browser.run("return [window.hacked ?? null, document.querySelectorAll('img').length]") == [None, 0]
    assert browser.text("h1") == EVIL and browser.driver.title == " ".join(EVIL.split())
    assert browser.text("#panel-about h2") == EVIL
    assert browser.text(".matches") != "none"
