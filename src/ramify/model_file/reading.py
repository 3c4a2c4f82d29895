"""Files to models: nothing in them is believed."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np

from ramify.estimator import TreeClassifier
from ramify.model_file.arrays import EXACT, read_numbers, read_tree
from ramify.model_file.parameters import check_parameters, read_parameters
from ramify.model_file.place import ModelFormatError, Place
from ramify.model_file.schema import read_schema
from ramify.model_file.writing import FORMAT, VERSION, checksum
from ramify.provenance import Provenance

#: The versions that can be read.
READABLE = (2, 3)

#: Objects and lists inside each other; the deepest place of a model is a rule of a dialect.
_DEEPEST = 8

_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_UP_AND_DOWN = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")  # 1 and -1
_TEXTS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)


def load_model(path: str | os.PathLike[str]) -> TreeClassifier:
    """Read a model that `save_model` wrote.

    Nothing in the file is believed: types, sizes, ranges, the shape of the tree and the sums of its counts
    are checked, and no code is run.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    TreeClassifier
        Fitted.

    Raises
    ------
    ModelFormatError
        If the file is damaged, is no model, or has a version that this one does not read. The text says
        where: ``model.json: $.tree.column[3]: a whole number is needed, found a text``.
    OSError
        If the file can't be read.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from ramify import load_model
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "model.json"
    >>> _ = path.write_text('{"format": "ramify-model", "version": "three"}')
    >>> load_model(path)
    Traceback (most recent call last):
        ...
    ramify.model_file.place.ModelFormatError: ...model.json: $.version: a whole number is needed, found a text
    """
    content = Path(path).read_bytes()
    try:
        return from_bytes(content)
    except ModelFormatError as error:
        raise ModelFormatError(f"{os.fspath(path)}: {error}") from None


def from_bytes(content: bytes) -> TreeClassifier:
    """Return the model that the content of a file describes, or raise a ModelFormatError."""
    return _read_document(Place(_parse(content)))


def _parse(content: bytes) -> Any:
    """Return what the JSON of a file says."""
    if content.startswith(b"\xef\xbb\xbf"):
        raise ModelFormatError("not a model file: it starts with a byte order mark, which JSON has not")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise ModelFormatError(f"not a model file: byte {error.start} is not UTF-8") from None
    _check_nesting(content)
    try:
        return json.loads(text, object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
    except ModelFormatError:
        raise
    except (ValueError, RecursionError) as error:
        raise ModelFormatError(f"not JSON ({error})") from None


def _check_nesting(content: bytes) -> None:
    """Refuse what is nested deeper than any model, before a parser that recurses sees it."""
    brackets = _TEXTS.sub(b"", content).translate(_UP_AND_DOWN, _NO_BRACKETS)
    steps = np.frombuffer(brackets, dtype=np.int8)
    if len(steps) and int(np.cumsum(steps, dtype=np.int64).max()) > _DEEPEST:
        raise ModelFormatError(f"not a model file: it is nested deeper than {_DEEPEST} levels")


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ModelFormatError(f"the key {json.dumps(twice[:60])} stands twice in an object")
    return found


def _no_constant(name: str) -> float:
    raise ModelFormatError(f"{name} is no JSON number")


def _read_document(document: Place) -> TreeClassifier:
    kind = document.field("format")
    kind.need(kind.value == FORMAT, f"must be {FORMAT!r}")
    version = document.field("version")
    found = version.need_a(int)
    if found not in READABLE:
        advice = "upgrade ramify" if found > VERSION else "the version is unknown"
        version.refuse(
            f"is {found}, but this version of ramify reads {' and '.join(map(str, READABLE))}; {advice}"
        )
    needed = ("format", "version", "ramify", "parameters", "schema", "class_weight", "tree")
    if found == 2:
        document.keys(needed)
    else:
        document.keys((*needed, "provenance", "ccp_alpha"), ("checksum",))
        _check_sum(document)
    written_by = document.field("ramify").need_a(str)
    schema = read_schema(document.field("schema"), found)
    tree = read_tree(document.field("tree"), schema)
    weights = document.field("class_weight")
    by_class = read_numbers(weights, np.float64)
    weights.need(
        len(by_class) == len(schema.classes), f"{len(schema.classes)} weights are needed, one a class"
    )
    weights.need(not (by_class < 0).any(), "weights are not negative")
    parameters = document.field("parameters")
    model = read_parameters(parameters)
    try:
        check_parameters(model, schema, tree, by_class)
    except (TypeError, ValueError) as error:
        parameters.refuse(str(error))
    model._set_fitted(schema, tree, by_class)
    if found == 2:
        model.provenance_ = Provenance(written_by)
        return model
    model.provenance_ = _read_provenance(document.field("provenance"))
    alpha = document.field("ccp_alpha")
    if not alpha.is_a(type(None)):
        alpha.need_a(int, float)
        used = float(read_numbers(Place([alpha.value], alpha.path), np.float64)[0])
        alpha.need(used >= 0, "a number >= 0 is needed")
        model.ccp_alpha_ = used
    return model


def _check_sum(document: Place) -> None:
    if "checksum" not in document.value:
        return
    place = document.field("checksum")
    try:
        found = checksum(document.value)
    except ValueError:  # a number that no float64 holds is an infinity to Python
        document.refuse("a number is out of the range of float64")
    place.need(
        place.need_a(str) == found,
        "the content is not what it was when this was written; if you changed it on purpose, "
        "remove 'checksum'",
    )


def _read_provenance(place: Place) -> Provenance:
    place.keys(("ramify", "fitted", "n_rows", "fingerprint"), ("target",))
    fitted, rows, mark = (place.field(name) for name in ("fitted", "n_rows", "fingerprint"))
    if not fitted.is_a(type(None)):
        date = re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", fitted.need_a(str), re.ASCII)
        fitted.need(date is not None, "a time such as 2031-05-27T10:04:12Z is needed")
    if not rows.is_a(type(None)):
        rows.need(1 <= rows.need_a(int) <= EXACT, "a number of rows is needed")
    if not mark.is_a(type(None)):
        right = re.fullmatch(r"[0-9a-f]{32}", mark.need_a(str)) is not None
        mark.need(right, "32 hexadecimal digits are needed")
    target = place.field("target").need_a(str) if "target" in place.value else None
    return Provenance(place.field("ramify").need_a(str), fitted.value, rows.value, mark.value, target)
