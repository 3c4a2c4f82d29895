"""Damaged and hostile model files: an error that says where, or a model that holds what it promises."""

import json
import os
import warnings
from itertools import islice

import jsonschema
import numpy as np
import pytest

from model_kinds import FOLDER, from_json
from mutations import mutations
from ramify import ModelFormatError, export_text, load_model
from ramify.model_file import json_schema
from ramify.model_file.reading import from_bytes
from ramify.model_file.writing import to_document

FILES = sorted(p for p in FOLDER.glob("*.v3.json"))


def contents(document):
    """What a document says, the version that wrote it and its checksum aside; 1 and 1.0 are one number."""
    return {name: value for name, value in document.items() if name not in ("ramify", "checksum")}


class Fuzz:
    """Loads damaged files; whatever is accepted must be sound."""

    def __init__(self):
        self.documents = [json.loads(path.read_text(encoding="utf-8")) for path in FILES]
        expected = [path.with_name(path.name.replace(".json", ".expected.json")) for path in FILES]
        rows = [json.loads(path.read_text(encoding="utf-8"))["rows"] for path in expected]
        self.rows = {id(document): some for document, some in zip(self.documents, rows, strict=True)}
        self.validator = jsonschema.Draft202012Validator(json_schema())
        self.accepted = 0

    def run(self, count, seed):
        for content, original, summed in islice(mutations(seed, self.documents), count):
            try:
                model = from_bytes(content)
            except ModelFormatError:
                continue
            self.accepted += 1
            document = json.loads(content)
            if summed and "checksum" in document:
                assert contents(document) == contents(original)
            self.check(model, document, original)
        return self.accepted

    def check(self, model, document, original):
        """An accepted model is valid, is saved as it was read, and predicts."""
        again = contents(to_document(model))
        assert again == contents(document), [name for name in again if again[name] != document[name]]
        if self.accepted % 10 == 0:  # it takes long
            self.validator.validate(document)
            assert export_text(model)
        if model.schema_.names != [column["name"] for column in original["schema"]["columns"]]:
            return
        try:
            rows = from_json(self.rows[id(original)], model)
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore", UserWarning
                )  # names that are those of the data now, or no more
                answers, shares = model.predict(rows), model.predict_proba(rows)
        except (TypeError, ValueError) as error:
            # A nominal column that has become a numeric one, or missing="error": refused in words.
            if "olumn" not in str(error):
                raise
            return
        assert set(answers.tolist()) <= set(model.classes_.tolist())
        assert (shares >= 0).all() and (shares <= 1).all()


def test_damaged_files():
    assert 10 < Fuzz().run(2000, seed=1) < 1000  # some damage is harmless: a score, the digits of a threshold


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_many_damaged_files():
    files = 100_000 if "RAMIFY_LONG" in os.environ else 20_000
    assert files / 1000 < Fuzz().run(files, seed=2) < files / 2


def test_every_single_number_of_a_tree(tmp_path):
    """Each number of a tree's shape set to a wrong one in turn: none is believed."""
    document = json.loads((FOLDER / "runner-ups.v3.json").read_text(encoding="utf-8"))
    del document["checksum"]
    path = tmp_path / "m.json"
    places = (
        "routes_begin",
        "routes_size",
        "runner_begin",
        "runner_size",
        "runner_routes_begin",
        "runner_routes_size",
    )
    shape = ("first_child", "n_children", "parent", *places)
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
            with pytest.raises(ModelFormatError, match=r"add up|if and only if"):
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
        tree[name] = (
            [] if name.startswith("runner_") and name not in ("runner_begin", "runner_size") else [0] * nodes
        )
    tree["counts"] = [[1.0, 1.0, 1.0]] * nodes
    tree["first_child"] = (2 * inner + 1).tolist() + [-1] * (nodes - len(inner))
    tree["n_children"] = [2] * len(inner) + [0] * (nodes - len(inner))
    tree["routes_size"] = [categories] * len(inner) + [0] * (nodes - len(inner))
    tree["routes"] = [0, 1] * (categories // 2)
    path = tmp_path / "m.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ModelFormatError, match="routes follow each other"):
        load_model(path)
