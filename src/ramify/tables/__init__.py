"""Tables from files of many kinds, with all that was guessed about them said in words.

    source -> scan -> columns of a kind -> training table, or rows for a model

| module | noun |
|---|---|
| `sources` | what a user names: a file, standard input, a data set that comes with the package |
| `containers` | the bytes of a file: Parquet, Arrow, JSON lines or text, perhaps compressed |
| `plain_text` | text in any encoding as a UTF-8 file |
| `layout` | how the text of a table is laid out: separator, header, decimal mark |
| `scans` | a file as a lazy frame that is read in batches |
| `values` | missing values, numbers, dates |
| `kinds` | what a column is, and why it is left out if it is |
| `training` | rows with their classes |
| `new_rows` | rows as a model wants them |
| `writing` | batches into a file that is whole or not there |

polars reads and writes; it comes with the extra ``cli``.
"""

from ramify.tables.errors import DataError
from ramify.tables.layout import Reading

__all__ = ["DataError", "Reading"]
