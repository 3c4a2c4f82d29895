"""Models as files: JSON that can be read, checked and trusted without running anything.

The format is described in ``docs/model-format.md`` and, for machines, by the JSON Schema `json_schema`.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from ramify.model_file.place import ModelFormatError
from ramify.model_file.reading import load_model
from ramify.model_file.writing import FORMAT, VERSION, save_model

__all__ = ["FORMAT", "VERSION", "ModelFormatError", "json_schema", "load_model", "save_model"]


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a model file, as this version writes it.

    Examples
    --------
    >>> from ramify.model_file import json_schema
    >>> json_schema()["required"][:3]
    ['format', 'version', 'ramify']
    """
    text = files("ramify.model_file").joinpath("model-format.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
