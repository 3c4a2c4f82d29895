"""Values: what is missing, what is a number, what is a date.

Each value is read by itself, whatever stands beside it, so that a batch of rows is read as the whole file is.
"""

from __future__ import annotations

import polars as pl

#: Beyond this, neighbouring integers are the same float64.
LARGE = 2**53

#: Numbers with a decimal comma, and with commas between thousands.
_DECIMAL_COMMA = r"^[+-]?\d*,\d+([eE][+-]?\d+)?$"
_THOUSANDS = r"^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$"

#: How dates begin; most strings are none, which is seen at once.
_DATE = r"^(\d{4}-\d{2}-\d{2}|\d{4}/\d{2}/\d{2}|\d{2}\.\d{2}\.\d{4}$)"

#: Dates that can't be read one by one: 02/07/2020 is the 2nd of July here and the 7th of February there.
_UNCLEAR_DATE = r"^\d{1,2}[/-]\d{1,2}[/-](\d{4}|\d{2})( \d{1,2}:\d{2}(:\d{2})?)?$"

#: Integers that are codes: their leading zeros mean something.
_CODE = r"^0\d+$"

_DATES = ("%Y-%m-%d", "%d.%m.%Y")
_DATETIMES = tuple(
    f"%Y-%m-%d{between}%H:%M{seconds}" for between in ("T", " ") for seconds in ("", ":%S", ":%S%.f")
)


def clean(frame: pl.DataFrame, nulls: list[str]) -> pl.DataFrame:
    """Return a frame whose strings have no blanks around them, and a null for what stands for nothing."""
    texts = pl.col(pl.String)
    stripped = frame.with_columns(texts.str.strip_chars())
    return stripped.with_columns(pl.when(texts.is_in(nulls)).then(None).otherwise(texts).name.keep())


def numbers_of(texts: pl.Series, decimal: str) -> pl.Series:
    """Return strings as numbers, null for those that are none.

    Parameters
    ----------
    texts : Series of String
        Without blanks around them.
    decimal : {".", ","}
        With ``,`` a comma is a decimal mark; with ``.`` it may stand between thousands.
    """
    values = texts.cast(pl.Float64, strict=False)
    if not _more(values, texts):
        return values
    if decimal == ",":
        rest = texts.str.contains(_DECIMAL_COMMA)
        other = texts.str.replace(",", ".", literal=True)
    else:
        rest = texts.str.contains(_THOUSANDS)
        other = texts.str.replace_all(",", "", literal=True)
    also = other.cast(pl.Float64, strict=False)
    return values.to_frame("v").select(pl.when(rest).then(also).otherwise(pl.col("v"))).to_series()


def uses_commas(texts: pl.Series, decimal: str) -> bool:
    """Whether some of the numbers among strings have a comma."""
    pattern = _DECIMAL_COMMA if decimal == "," else _THOUSANDS
    return bool(texts.str.contains(pattern).any())


def has_codes(texts: pl.Series) -> bool:
    """Whether some strings are integers with leading zeros."""
    return bool(texts.str.contains(_CODE).any())


def are_dates(texts: pl.Series) -> bool:
    """Whether all strings, of which none is null, are dates."""
    like = texts.head(100).str.contains(_DATE).all() and texts.str.contains(_DATE).all()
    return bool(like) and not years_of(texts).null_count()


def are_unclear_dates(texts: pl.Series) -> bool:
    """Whether all strings, of which none is null, are dates in which day or month may come first."""
    like = texts.head(100).str.contains(_UNCLEAR_DATE).all() and texts.str.contains(_UNCLEAR_DATE).all()
    return bool(like)


def years_of(column: pl.Series) -> pl.Series:
    """Return dates, as such or in strings, as years with a fraction; null for what is no date.

    2020-07-02 is 2020.5. Years keep the order of the dates, and can be read by people.

    Examples
    --------
    >>> import polars as pl
    >>> from ramify.tables.values import years_of
    >>> years_of(pl.Series(["2020-07-02", "2020/07/02", "01.01.2021", "soon"])).to_list()
    [2020.5, 2020.5, 2021.0, None]
    """
    moment = column
    if column.dtype == pl.String:
        texts = column.str.replace_all("/", "-", literal=True)
        parts = [texts.str.strptime(pl.Date, form, strict=False).cast(pl.Datetime("us")) for form in _DATES]
        if any(_more(part, texts) for part in parts):
            whole = texts.str.strip_suffix("Z")
            parts += [whole.str.strptime(pl.Datetime("us"), form, strict=False) for form in _DATETIMES]
        moment = (
            pl.DataFrame(parts, schema=[str(i) for i in range(len(parts))])
            .select(pl.coalesce(pl.all()))
            .to_series()
        )
    if isinstance(moment.dtype, pl.Datetime) and moment.dtype.time_zone:
        moment = moment.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    moment = moment.cast(pl.Datetime("us"))
    day = moment.dt.ordinal_day() - 1
    second = (moment - moment.dt.truncate("1d")).dt.total_microseconds() / 1e6
    length = moment.dt.is_leap_year().cast(pl.Int32) + 365
    years: pl.Series = moment.dt.year() + (day + second / 86_400) / length
    return years.cast(pl.Float64)


def _more(read: pl.Series, texts: pl.Series) -> bool:
    """Whether there are strings that were not read."""
    return read.null_count() > texts.null_count()
