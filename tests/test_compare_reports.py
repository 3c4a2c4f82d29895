"""What a comparison says: as JSON, frame, HTML and Markdown, and the diagram of its ranks."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

from compared import PAIR, SMALL, several
from ramify import TreeClassifier
from ramify.experiments import compare, render


def test_json_has_every_score_and_test():
    found = compare(several(), PAIR | {"mid": TreeClassifier(max_depth=3)}, **SMALL)
    content = json.loads(found.to_json())
    accuracy = content["measures"]["accuracy"]
    assert np.shape(accuracy["folds"]) == (6, 3, 2, 3)
    np.testing.assert_array_equal(accuracy["folds"], found.folds())
    assert accuracy["across_datasets"]["friedman"]["pvalue"] == found.friedman_.pvalue
    np.testing.assert_array_equal(accuracy["across_datasets"]["nemenyi"], found.nemenyi_)
    assert len(accuracy["corrected_t"]) == 6 * 3
    assert content["settings"]["one"] == "TreeClassifier(max_depth=1, random_state=0)"
    assert content["protocol"] == {
        "cv": 3,
        "n_repeats": 2,
        "seed": 0,
        "alpha": 0.05,
        "splitter": "",
    }


def test_scores_frame():
    found = compare(several(2), PAIR, **SMALL)
    frame = found.scores_
    assert frame.shape == (2 * 2 * 2 * 3, 6)
    one = frame.query("dataset == 'set 1' and model == 'deep' and repeat == 1 and fold == 2")
    assert one["accuracy"].item() == found.folds()[1, 1, 1, 2]


def test_html_stands_alone_and_names_are_escaped():
    models = {"<b>": TreeClassifier(), "a&b": TreeClassifier(max_depth=1), "c": TreeClassifier(max_depth=2)}
    page = compare(several(), models, **SMALL).to_html()
    assert "<b>:" not in page and "&lt;b&gt;" in page
    assert not re.search(r"""(src|href)=["'](?!#)""", page)
    assert page.count("<svg") == 2
    assert "<td>failed" not in page
    assert "published" not in page


def test_markdown_needs_no_pictures():
    found = compare(several(), PAIR | {"mid": TreeClassifier(max_depth=3)}, **SMALL)
    text = found.to_markdown()
    assert "![" not in text
    assert "| mean rank |" in text
    assert len(render(found.report(), "markdown").files) == 2


DRAW = """
import hashlib, numpy as np
from ramify.experiments.diagram import diagram_svg
from ramify.experiments.significance import rank_tests
table = np.random.default_rng(0).normal(size=(12, 9)) + np.linspace(0, 2, 9)
svg = diagram_svg(rank_tests(table, tuple("abcdefghi"), tuple(map(str, range(12)))), "x")
print(hashlib.sha256(svg.encode()).hexdigest())
"""


@pytest.mark.slow
def test_the_diagram_is_the_same_in_every_process():
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", DRAW],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
        )
        for seed in (1, 2)
    ]
    told = [run.communicate(timeout=120)[0] for run in runs]
    assert len(told[0]) > 60
    assert told[0] == told[1]


@pytest.mark.parametrize("n_models", [3, 8, 20])
@pytest.mark.parametrize("name", ["m{}", "normalized_distance q={} pruning=pessimistic"])
def test_no_label_of_the_diagram_is_cut_or_covers_another(n_models, name):
    import matplotlib.pyplot as plt

    from ramify.experiments.diagram import draw_diagram
    from ramify.experiments.significance import rank_tests

    rng = np.random.default_rng(n_models)
    table = rng.normal(size=(12, n_models)) + np.linspace(0, 2, n_models)
    names = tuple(name.format(i) for i in range(n_models))
    ax = draw_diagram(rank_tests(table, names, tuple(map(str, range(12)))))
    ax.figure.canvas.draw()
    page = ax.figure.bbox
    boxes = [text.get_window_extent() for text in ax.texts] + [
        tick.label1.get_window_extent() for tick in ax.xaxis.get_major_ticks() if tick.label1.get_visible()
    ]
    plt.close(ax.figure)
    for box in boxes[: len(names) + 1]:
        assert page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:i])
