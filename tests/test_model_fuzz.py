"""Damaged and hostile model files: an error that says where, or a model that holds what it promises."""

import json
from itertools import islice

import jsonschema
import numpy as np
import pytest

from model_kinds import FOLDER, from_json
from mutations import mutations
from ramify import ModelFormatError, export_text, load_model, save_model
from ramify.model_file import json_schema

FILES = sorted(p for p in FOLDER.glob("*.v3.json"))


def contents(document):
    """What a document says, the version that wrote it and its checksum aside; 1 and 1.0 are one number."""
    return {name: value for name, value in document.items() if name not in ("ramify", "checksum")}


def check(content, summed, original, rows, path, validator):
    """Load a damaged file; return whether it was accepted. Whatever is accepted must be sound."""
    path.write_bytes(content)
    try:
        model = load_model(path)
    except ModelFormatError as error:
        assert str(path) in str(error)
        return False
    document = json.loads(content)
    validator.validate(document)
    if summed and "checksum" in document:
        assert contents(document) == contents(original)
    model.tree_.validate([max(1, n) if c.nominal else 0 for c, n in zip(model.schema_.columns, model.schema_.n_categories, strict=True)])
    save_model(model, path)
    assert contents(json.loads(path.read_bytes())) == contents(document)
    if model.schema_.names == [column["name"] for column in original["schema"]["columns"]]:
        try:
            found = from_json(rows, model)
            answers, shares = model.predict(found), model.predict_proba(found)
        except (TypeError, ValueError) as error:  # columns that have become numeric, values that are refused now
            assert "olumn" in str(error)
        else:
            assert set(answers.tolist()) <= set(model.classes_.tolist())
            assert (shares >= 0).all() and (shares.sum(axis=1) <= len(model.classes_)).all()
    assert export_text(model)
    return True


def fuzz(count, seed, folder):
    documents = [json.loads(p.read_text(encoding="utf-8")) for p in FILES]
    expected = [p.with_name(p.name.replace(".json", ".expected.json")) for p in FILES]
    rows = {id(d): json.loads(p.read_text(encoding="utf-8"))["rows"] for d, p in zip(documents, expected, strict=True)}
    validator = jsonschema.Draft202012Validator(json_schema())
    path = folder / "damaged.json"
    return sum(
        check(content, summed, original, rows[id(original)], path, validator)
        for content, original, summed in islice(mutations(seed, documents), count)
    )


def test_damaged_files(tmp_path):
    accepted = fuzz(3000, 1, tmp_path)
    assert 10 < accepted < 1500  # some damage is harmless: a score, the digits of a threshold


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_hundred_thousand_damaged_files(tmp_path):
    assert 100 < fuzz(100_000, 2, tmp_path) < 50_000


def test_every_single_number_of_a_tree(tmp_path):
    """Each number of a tree's shape set to a wrong one in turn: none is believed."""
    document = json.loads((FOLDER / "runner-ups.v3.json").read_text(encoding="utf-8"))
    del document["checksum"]
    path = tmp_path / "m.json"
    shape = [name for name in document["tree"] if name not in ("threshold", "impurity", "score", "gain", "routes",
             "runner_threshold", "runner_score", "runner_gain", "search", "exact", "counts", "unknown", "n_rows",
             "missing_route", "column", "runner_column", "runner_kind")]
    assert len(shape) == 10
    for name in shape:
        for i, value in enumerate(document["tree"][name]):
            for wrong in (value + 1, value - 1, -7, 10**6, 2**62, None, 0.5):
                document["tree"][name][i] = wrong
                path.write_text(json.dumps(document), encoding="utf-8")
                with pytest.raises(ModelFormatError, match=r"\$\.tree"):
                    load_model(path)
            document["tree"][name][i] = value
    counts = document["tree"]["counts"]
    for row in counts:
        for k, value in enumerate(row):
            row[k] = value + 0.5
            path.write_text(json.dumps(document), encoding="utf-8")
            with pytest.raises(ModelFormatError, match="add up|if and only if"):
                load_model(path)
            row[k] = value


def test_overlapping_routes_take_no_longer(tmp_path):
    """A small file whose nodes all share one long list of routes must not keep the reader busy."""
    nodes, categories = 20_001, 20_000
    document = json.loads((FOLDER / "nominal-binary.v3.json").read_text(encoding="utf-8"))
    del document["checksum"]
    document["schema"]["columns"] = [{"name": "c", "kind": "nominal", "categories": list(range(categories))}]
    inner = np.arange(nodes // 2)
    tree = document["tree"]
    for name in tree:
        tree[name] = [] if name.startswith("runner_") and name not in ("runner_begin", "runner_size") else [0] * nodes
    tree["counts"] = [[1.0, 1.0, 1.0]] * nodes
    tree["first_child"] = (2 * inner + 1).tolist() + [-1] * (nodes - len(inner))
    tree["n_children"] = [2] * len(inner) + [0] * (nodes - len(inner))
    tree["routes_size"] = [categories] * len(inner) + [0] * (nodes - len(inner))
    tree["routes"] = [0, 1] * (categories // 2)
    path = tmp_path / "m.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ModelFormatError, match="routes follow each other"):
        load_model(path)
