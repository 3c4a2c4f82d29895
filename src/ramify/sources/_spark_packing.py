"""Columns of a Spark frame that travel together, as one array a row.

Spark hands rows to Python column by column and value by value. The values of an array go in two thirds of the
time that as many columns take, so numbers of one type are packed before, and unpacked on the other side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

#: What Spark calls the types of numbers that are worth it.
_PACKED = ("tinyint", "smallint", "int", "bigint", "float", "double")


@dataclass(frozen=True)
class Packing:
    """Which columns lie in which array; the others are left as they are."""

    names: tuple[str, ...]
    packed: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, frame: Any) -> Packing:
        """Return that of a frame: an array for every type of which there are two columns or more."""
        fields = [(field.name, field.dataType.simpleString()) for field in frame.schema.fields]
        groups = [tuple(name for name, kind in fields if kind == packed) for packed in _PACKED]
        return cls(tuple(name for name, _ in fields), tuple(group for group in groups if len(group) > 1))

    def pack(self, frame: Any) -> Any:
        """Return a frame with arrays, and then what is in none."""
        from pyspark.sql import functions

        def column(name: str) -> Any:
            return frame["`" + name.replace("`", "``") + "`"]

        arrays = [functions.array(*map(column, group)) for group in self.packed]
        inside = {name for group in self.packed for name in group}
        others = [column(name) for name in self.names if name not in inside]
        columns = [*arrays, *others]
        return frame.select([one.alias(f"c{place}") for place, one in enumerate(columns)])

    def unpack(self, batch: Any) -> Any:
        """Return an Arrow table of what was packed in a batch."""
        import pyarrow

        columns: dict[str, Any] = {}
        for place, group in enumerate(self.packed):
            columns |= zip(group, _elements(batch.column(place), len(group)), strict=True)
        others = [name for name in self.names if name not in columns]
        columns |= zip(others, batch.columns[len(self.packed) :], strict=True)
        return pyarrow.table([columns[name] for name in self.names], list(self.names))


def _elements(arrays: Any, size: int) -> list[Any]:
    """Return the first elements of all arrays, the second ones, and so on; all arrays have the same size."""
    import numpy as np
    import pyarrow
    import pyarrow.compute

    values = arrays.flatten()
    if values.null_count:
        return [pyarrow.compute.list_element(arrays, place) for place in range(size)]
    columns = np.ascontiguousarray(values.to_numpy().reshape(-1, size).T)
    buffers = [pyarrow.py_buffer(column) for column in columns]  # pyarrow.array would look for NaN
    return [pyarrow.Array.from_buffers(values.type, len(arrays), [None, buffer]) for buffer in buffers]
