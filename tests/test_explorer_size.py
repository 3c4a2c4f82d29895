"""Large trees and long paths: how heavy their pages are, and how fast."""

import json
import re

import numpy as np
import pytest

from ramify import TreeClassifier, datasets, q_path, view

FRAMES = 30


@pytest.fixture(scope="module")
def noise():
    """A tree of 2,000 nodes."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6000, 6)), rng.integers(0, 4, 6000)
    model = TreeClassifier(max_leaf_nodes=1000).fit(X, y)
    assert model.tree_.node_count == 1999
    return model


@pytest.fixture(scope="module")
def noise_page(noise, tmp_path_factory):
    place = tmp_path_factory.mktemp("noise") / "noise.html"
    view(noise, place)
    return place


def test_two_thousand_nodes_open_folded_and_can_all_be_shown(browser, noise, noise_page):
    assert noise_page.stat().st_size < 500_000
    browser.open(noise_page)
    assert 10 < len(browser.shown()) < 80
    assert browser.first_paint() < 1000
    ready = browser.run("return performance.now()")
    browser.click_button("Open all")
    assert len(browser.shown()) == noise.tree_.node_count
    assert ready < 10_000


def script_seconds(browser):
    """All time that the page has spent in scripts."""
    metrics = browser.command("Performance.getMetrics")["metrics"]
    return next(each["value"] for each in metrics if each["name"] == "ScriptDuration")


@pytest.mark.slow
def test_panning_two_thousand_nodes_takes_little_script(browser, noise_page):
    browser.open(noise_page)
    browser.click_button("Open all")
    browser.command("Performance.enable")
    mouse = {"button": "left", "buttons": 1}
    browser.command("Input.dispatchMouseEvent", type="mousePressed", x=300, y=300, clickCount=1, **mouse)
    before = script_seconds(browser)
    for i in range(FRAMES):  # each is answered once the page has handled it, a frame at most
        browser.command("Input.dispatchMouseEvent", type="mouseMoved", x=300 + 3 * i, y=300 + 2 * i, **mouse)
    spent = script_seconds(browser) - before
    browser.command("Input.dispatchMouseEvent", type="mouseReleased", x=500, y=450, clickCount=1, **mouse)
    moved = browser.run("return document.querySelector('#view').getAttribute('transform')")
    assert re.match(r"translate\(.*\) scale\(0\.0", moved)
    assert 1000 * spent / FRAMES < 8


@pytest.mark.slow
def test_a_path_of_a_hundred_q_is_a_small_page(tmp_path):
    X, y = datasets.load("mushroom", return_X_y=True)
    path = q_path(X, y, cv=2, n_repeats=1, n_runner_ups=3)
    assert len(path.qs_) == 100
    view(path, tmp_path / "path.html", X=X, y=y)
    assert (tmp_path / "path.html").stat().st_size < 300_000


def test_subtrees_of_many_trees_are_kept_once():
    from ramify.viewer.data import page_data
    from ramify.viewer.subject import Subject

    X, y = datasets.load("car", return_X_y=True)
    path = q_path(X, y, cv=2, n_repeats=1)
    data = page_data(Subject.of(path), "car")
    nodes = sum(entry.node_count for entry in path.trees_)
    assert len(path.trees_) > 5
    assert len(data["nodes"]["split"]) < nodes / 3
    assert len(json.dumps(data)) < 2_000_000
