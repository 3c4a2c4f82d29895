"""Reports: marks of cells, and the same report in every format."""

import json
import math
import re
from html import unescape
from html.parser import HTMLParser

import pytest

from ramify.experiments import Cell, Figure, Listing, Report, Section, Series, Step, Steps, Table, render
from ramify.experiments.render import FORMATS
from ramify.experiments.render.numbers import number, ours, step_headings


@pytest.mark.parametrize(
    ("cell", "mark"),
    [
        (Cell(0.940, 0.94029, 3), "exact"),
        (Cell(0.946, 0.9455, 3), "exact"),  # right between two roundings: either is right
        (Cell(0.945, 0.9455, 3), "exact"),
        (Cell(0.246, 0.24675, 3), "differs"),
        (Cell(9.144, 9.14485, 3), "differs"),
        (Cell(9.144, 9.14485, 3, cut=True), "exact"),
        (Cell(9.145, 9.14485, 3, cut=True), "differs"),
        (Cell(78.06, 78.06, 2, cut=True), "exact"),
        (Cell(78.06, 78.07, 2, cut=True), "differs"),
        (Cell(-1.23, -1.239, 2, cut=True), "exact"),
        (Cell(0.0, 0.0, 0), "exact"),
        (Cell(78.0, 77.1, 1, se=0.6), "inside"),
        (Cell(78.0, 77.1, 1, se=0.4), "differs"),
        (Cell(78.0, 77.1, 1, se=0.4, freedom=9), "inside"),  # 2.26 standard errors, not 1.96
        (Cell(23, 18, 0), "differs"),
        (Cell("age", "age"), "exact"),
        (Cell("age", "income"), "differs"),
        (Cell("9, 5", 9.0), "differs"),
        (Cell(None, 1.0), "ours only"),
        (Cell(1.0, None), "missing"),
        (Cell(None, None), "missing"),
        (Cell(math.inf, math.inf), "exact"),
        (Cell(1.0, math.nan), "differs"),
    ],
)
def test_marks(cell, mark):
    assert cell.mark == mark


def test_the_interval_is_of_the_normal_or_of_students_distribution():
    assert Cell(None, 10.0, se=1.0).interval == pytest.approx((10 - 1.959964, 10 + 1.959964), abs=1e-6)
    students = Cell(None, 10.0, se=1.0, freedom=9).interval
    assert students == pytest.approx((10 - 2.262157, 10 + 2.262157), abs=1e-6)
    assert Cell(None, 10.0).interval is None


def test_difference_is_of_numbers_alone():
    assert Cell(2.0, 3.5).difference == 1.5
    assert Cell("a", "b").difference is None
    assert Cell(None, 3.5).difference is None


def test_numbers_are_shown_as_printed():
    assert number(9.14485, 3) == "9.145"
    assert number(9.14485, 3, cut=True) == "9.144"
    assert number(0.29, 2, cut=True) == "0.29"  # 28.999999999999996 hundredths as a double
    assert number("age", 3) == "age"
    assert number(None, 3) == "-"
    # one more digit where the printed ones would hide that the values differ
    assert ours(Cell(0.246, 0.24675, 3)) == "0.2467"


def test_tables_refuse_cells_of_another_shape():
    with pytest.raises(ValueError, match="2 rows and 1 columns"):
        Table("t", ("a", "b"), ("c",), ((Cell(1.0, 1.0),),))
    with pytest.raises(ValueError, match="2 x and 1 y"):
        Series("s", (1.0, 2.0), (1.0,))


@pytest.fixture(scope="module")
def report():
    table = Table(
        "Table 1 <& more>",
        ("iris", "wine"),
        ("Gini", "Gain | ratio"),
        (
            (Cell(95.3, 95.31, 1, se=0.7), Cell(94.0, 95.0, 1, se=0.8, note="ties")),
            (Cell(90.0, 93.0, 1, se=0.5, erratum="a misprint"), None),
        ),
        "Words of the table.",
        "data",
    )
    steps = Steps("Worked", (Step("H", Cell(0.94, 0.94, 2), "a*b"), Step("only", Cell(ours=3.0, digits=0))))
    figure = Figure("Curve", (Series("s", (0.0, 1.0, 2.0), (1.0, 4.0, 2.0)),), "x", "y", (("best", 1.0),))
    points = Series("p", (0.0,), (1.0,), "points")
    bars = Figure("Bars", (Series("b", (0.0, 1.0), (1.0, 2.0), "bars"), points))
    sections = (
        Section("First", (table, steps), "Words of the section."),
        Section("Second", (figure, bars, Listing("A tree", "a\n  b < c"))),
    )
    return Report(
        study="demo",
        title="A demo",
        paper="Nobody, Nothing",
        sections=sections,
        words="In short.",
        settings={"quick": True},
        versions={"x": "1"},
        seed=7,
        seconds={"total": 1.5},
    )


def test_counts(report):
    assert report.counts() == {"exact": 2, "inside": 1, "differs": 1, "ours only": 1, "missing": 0}
    assert report.errata() == 1
    assert report.sections[1].counts()["exact"] == 0
    assert [section.errata() for section in report.sections] == [1, 0]


def test_what_is_missing_is_said_in_a_word():
    table = Table("t", ("a",), ("b",), ((Cell(78.76, None),),))
    report = Report("r", "r", "r", (Section("s", (table,)),))
    assert "78.76 missing" in render(report).text
    assert "78.76 missing" in render(report, "html").text
    assert "| a | -<br>78.76 missing |" in render(report, "markdown").text


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_tells_everything_and_is_the_same_twice(report, form):
    made = render(report, form)
    assert made == render([report], form)
    text = unescape(made.text).replace("\\", "")
    for word in ("demo", "Table 1 <& more>", "Words of the table.", "Words of the section.", "ties"):
        assert word in text
    for word in ("In short.", "95.3", "94.0", "a misprint", "a*b", "seed", "A tree", "Curve", "b < c"):
        assert word in text
    assert "None" not in text


def test_text_has_no_colours_and_shows_figures_in_blocks(report):
    text = render(report).text
    assert "\x1b" not in text
    assert "▁█▃" in text
    assert "2 exact, 1 inside, 1 differs, 1 ours only, 1 errata named" in text


def test_wide_tables_are_not_folded_in_files():
    columns = tuple(f"column number {i}" for i in range(20))
    table = Table("Wide", ("row",), columns, (tuple(Cell(ours=float(i)) for i in range(20)),))
    text = render(Report("w", "w", "w", (Section("s", (table,)),))).text
    assert any(all(column in line for column in columns) for line in text.splitlines())


def test_json_is_sorted_and_keeps_times_apart(report):
    text = render(report, "json").text
    content = json.loads(text)
    assert text == json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    assert content["seconds"] == {"demo": {"total": 1.5}}
    assert "seconds" not in content["reports"][0]
    cell = content["reports"][0]["sections"][0]["blocks"][0]["cells"][0][1]
    assert cell["mark"] == "inside"
    assert cell["difference"] == pytest.approx(1.0)
    assert cell["interval"] == pytest.approx([95 - 1.568, 95 + 1.568], abs=1e-3)
    kinds = [b["kind"] for s in content["reports"][0]["sections"] for b in s["blocks"]]
    assert kinds == ["table", "steps", "figure", "figure", "listing"]


def test_json_has_no_number_that_json_lacks():
    report = Report("n", "n", "n", (Section("s", (Steps("t", (Step("a", Cell(1.0, math.nan)),)),)),))
    section = json.loads(render(report, "json").text)["reports"][0]["sections"][0]
    assert section["blocks"][0]["steps"][0]["cell"]["ours"] == "nan"


class Page(HTMLParser):
    """Collects what a page is made of, and that every tag is closed."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.outside = [], [], [], []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag not in ("meta", "br", "link", "img"):
            self.open.append(tag)
        if "id" in found:
            self.ids.append(found["id"])
        if "href" in found:
            self.links.append(found["href"])
        self.outside += [v for k, v in attrs if k in ("src", "href") and v and v.startswith(("http", "//"))]

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in ("meta", "br", "link", "img"):
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_html_is_whole_and_needs_no_network(report):
    text = render([report, report.__class__(**{**report.__dict__, "study": "other"})], "html").text
    page = Page()
    page.feed(text)
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    # matplotlib writes names of namespaces, which nobody fetches
    assert page.outside == []
    assert "<script" not in text
    assert "url(http" not in text
    assert "@import" not in text
    for link in page.links:
        assert link[1:] in page.ids
    assert text.count("<svg") == 4
    assert "prefers-color-scheme: dark" in text


def test_markdown_puts_its_pictures_beside_it(report):
    made = render(report, "markdown", stem="replication")
    names = re.findall(r"!\[[^]]*\]\(([^)]+)\)", made.text)
    assert names == list(made.files) == ["replication_files/demo-1.svg", "replication_files/demo-2.svg"]
    assert all(content.startswith(b"<svg") for content in made.files.values())
    rows = [line for line in made.text.splitlines() if line.startswith("| iris")]
    assert rows == ["| iris | 95.3 ±0.7 = | 95.0 ±0.8<br>94.0 +1.0 ~ |"]
    assert "Gain \\| ratio" in made.text


def test_a_drawing_that_is_ready_is_shown_as_it_is():
    svg = "<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'><text>hello</text></svg>"
    report = Report("r", "r", "r", (Section("s", (Figure("f", svg=svg),)),))
    text = render(report, "html").text
    assert "<text>hello</text>" in text
    assert "<?xml" not in text
    assert "see the HTML" in render(report).text


def test_headings_without_content_are_left_out():
    plain = Steps("t", (Step("a", Cell(ours=1.0)),))
    assert step_headings(plain) == ["step", "ours", "mark"]


def test_unknown_format_is_named():
    with pytest.raises(ValueError, match="format='pdf' is not known; the formats are text"):
        render([], "pdf")
