"""A small table in many forms: as text in any layout and encoding, and typed."""

import polars as pl

#: The columns of the table; the answer is yes where the size is above 5.
NAMES = ("größe", "farbe", "kauf")

SIZES = [((7 * i) % 97) / 10 + 0.1 for i in range(60)]
COLOURS = [("rot", "grün", "blau")[i % 3] for i in range(60)]
ANSWERS = ["ja" if size > 5 else "nein" for size in SIZES]


def as_text(separator=",", decimal=".", header=True, end="\n"):
    """The table as text."""
    rows = [
        separator.join((f"{size:.1f}".replace(".", decimal), colour, answer))
        for size, colour, answer in zip(SIZES, COLOURS, ANSWERS, strict=True)
    ]
    return end.join([*([separator.join(NAMES)] if header else []), *rows, ""])


def as_frame():
    """The table with types."""
    return pl.DataFrame([SIZES, COLOURS, ANSWERS], schema=list(NAMES)).with_columns(pl.col("größe").round(1))
