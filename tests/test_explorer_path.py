"""The slider of q, its curves and buttons."""

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from explorer_pages import wine, wine_path


def test_the_slider_moves_through_the_trees(browser, pages):
    path = wine_path()
    browser.open(pages / "path.html")
    seen = []
    for place in range(len(path.qs_)):
        browser.move_slider(place)
        told = browser.text(".told")
        assert f"{path.qs_[place]:g}" in told and f"{100 * path.accuracy_[place]:.1f}%" in told
        nodes = int(path.full_n_nodes_[place])
        assert browser.text("#summary").startswith(f"{nodes} nodes")
        tree = path.tree(path.qs_[place])
        size, thresholds = browser.run(
            "const t = window.ramify.explorer.tree; const s = t.data.splits;"
            "return [t.size, t.parent.map((_, n) => t.isLeaf(n) ? null : s.threshold[t.split(n)])]"
        )
        assert size == tree.node_count
        assert [t for t in thresholds if t is not None] == tree.threshold[tree.column >= 0].tolist()
        seen.append(nodes)
    assert len(set(seen)) > 1


def test_the_q_that_stand_out_the_curves_and_the_keys(browser, pages):
    path = wine_path()
    browser.open(pages / "path.html")
    places = {"Best": path.best_q_, "Smallest": path.smallest_q_, "Trade-off": path.tradeoff_q_}
    for text, q in places.items():
        browser.click_button(text)
        assert browser.find("#q").get_attribute("value") == str(path.position(q))
        assert (
            browser.find(f"[data-mark={text.lower().replace('-', '')}]").get_attribute("aria-pressed")
            == "true"
        )
    curves = browser.find(".curves")
    ActionChains(browser.driver).move_to_element_with_offset(
        curves, -curves.size["width"] // 2 + 9, 0
    ).click().perform()
    assert browser.find("#q").get_attribute("value") == "0"
    ActionChains(browser.driver).move_to_element_with_offset(
        curves, curves.size["width"] // 2 - 9, 0
    ).click().perform()
    assert browser.find("#q").get_attribute("value") == str(len(path.qs_) - 1)
    browser.run("document.querySelector('#q').focus()")
    browser.press(Keys.HOME)
    browser.press(Keys.ARROW_RIGHT)
    assert browser.find("#q").get_attribute("value") == "1"
    assert browser.find("#q").get_attribute("aria-valuetext").startswith("q 0.5: accuracy ")
    here = browser.run("return window.ramify.explorer.tree.own.q")
    browser.click("[aria-label='The next tree']")
    assert browser.run("return window.ramify.explorer.tree.own.q") != here
    assert "differ from the tree before" in browser.told()


def test_a_followed_case_stays_while_q_moves(browser, pages):
    path = wine_path()
    X = wine()[1]
    browser.open(pages / "path.html")
    browser.click_button("Case")
    browser.click("[aria-label='Next case']")
    for place in (0, len(path.qs_) - 1):
        browser.move_slider(place)
        model = path.model(path.qs_[place])
        assert browser.text("#answer") == model.predict(X.iloc[[0]])[0]
        assert browser.passed() == model.decision_path(X.iloc[[0]]).indices.tolist()
