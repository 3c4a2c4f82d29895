"""The explorer in notebooks, in the dark, on phones and on paper."""

import base64
import re

import numpy as np
import pytest

from explorer_pages import play


def test_a_notebook_shows_a_fitted_model(browser, tmp_path):
    host = tmp_path / "notebook.html"
    host.write_text(f"<!doctype html><title>x</title><body>{play()[0]._repr_html_()}", encoding="utf-8")
    browser.driver.get(host.as_uri())
    frame = browser.find("iframe")
    assert frame.get_attribute("title") == "Decision tree"
    browser.driver.switch_to.frame(frame)
    try:
        browser.wait("return document.documentElement.dataset.ready === 'true'")
        browser.click_node(0)
        browser.click("[aria-label='Dark colours']")  # there is no storage in the frame
        assert "Node 0" in browser.text("#panel-node")
        assert browser.run("return document.documentElement.dataset.theme") == "dark"
    finally:
        browser.driver.switch_to.default_content()


def brightness(colour):
    return np.mean([int(part) for part in re.findall(r"\d+", colour)[:3]])


def test_light_and_dark(browser, pages):
    ground = "return getComputedStyle(document.body).backgroundColor"
    browser.open(pages / "play.html", colours="dark")
    browser.run("localStorage.clear()")
    browser.open(pages / "play.html", colours="dark")
    dark = browser.run(ground)
    browser.click("[aria-label='Dark colours']")
    light = browser.run(ground)
    assert brightness(dark) < 50 and brightness(light) > 200
    browser.open(pages / "play.html", colours="dark")
    assert browser.run(ground) == light  # the choice is kept
    browser.run("localStorage.clear()")


@pytest.mark.parametrize("width", [360, 390, 768])
def test_narrow_screens(width, browser, pages):
    browser.open(pages / "path.html", size=(width, 800))
    assert browser.run("return document.documentElement.scrollWidth") <= width
    small = browser.run(
        "return [...document.querySelectorAll('button.button:not(.plain)')].filter(b => b.offsetParent)"
        ".filter(b => b.getBoundingClientRect().height < 33).map(b => b.textContent)"
    )
    assert small == []
    assert len(browser.shown()) >= 3


def test_motion_only_where_it_is_wanted(browser, pages):
    where = "return document.querySelector('.node[data-node=\"2\"]').getAttribute('transform')"
    toggle = "document.querySelector('.node[data-node=\"0\"] .toggle rect')"
    move = f"{toggle}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}));"
    for motion, moves in (("reduce", False), ("no-preference", True)):
        browser.open(pages / "wine.html", motion=motion)
        browser.run(move)
        at_once = browser.run(move + where)
        if moves:
            browser.wait(f"return (() => {{ {where} }})() !== '{at_once}'")
        else:
            browser.wait("return new Promise((done) => setTimeout(() => done(true), 350))")
            assert browser.run(where) == at_once


def test_on_paper_the_whole_tree_is_on_a_sheet(browser, pages):
    browser.open(pages / "wine.html")
    browser.click_button("Open all")
    before = browser.run("return document.querySelector('#view').getAttribute('transform')")
    browser.run(
        "addEventListener('beforeprint', () => { const t = document.querySelector('#tree');"
        "window.printed = t.getAttribute('viewBox').split(' ').map(Number); })"
    )
    sheet = base64.b64decode(browser.command("Page.printToPDF", printBackground=True)["data"])
    assert sheet.startswith(b"%PDF")
    assert sheet.count(b"/Type /Page\n") <= 4
    left, top, width, height = browser.run("return window.printed")
    box = browser.run(
        "const b = document.querySelector('#view').getBBox(); return [b.x, b.y, b.width, b.height]"
    )
    assert (
        left <= box[0]
        and top <= box[1]
        and left + width >= box[0] + box[2]
        and top + height >= box[1] + box[3]
    )
    assert browser.run("return document.querySelector('#view').getAttribute('transform')") == before
