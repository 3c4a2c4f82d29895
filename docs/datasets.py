"""Write the table of data sets into docs/datasets.md, from the registry."""

import re
from pathlib import Path

from ramify.datasets._catalogue import records
from ramify.datasets._registry import entries

PAGE = Path(__file__).with_suffix(".md")
BEGIN, END = "<!-- table -->", "<!-- end of table -->"


def _sizes(entry) -> tuple[int, int, int, int, int]:
    """Return rows, numeric and nominal columns, classes and missing cells, without the rows where it can."""
    record = records().get(entry.name)
    if record is not None:
        kinds = list(record["columns"].values())
        numeric = kinds.count(None)
        nominal = len(kinds) - numeric
        return record["rows"], numeric, nominal, len(record["classes"]), record["missing"]
    table = entry.read(False)
    nominal = len(table.categories)
    return len(table.labels), len(table.columns) - nominal, nominal, len(table.classes), 0


def _linked(text: str) -> str:
    return re.sub(r"(https://\S+?)(?=[;,.)]?(?:\s|$))", r"<\1>", text)


def table() -> str:
    """Return the table in Markdown."""
    heads = "| name | rows | numeric | nominal | classes | missing | comes | description "
    heads += "| source | licence | remark |"
    rows = [heads, "|---|--:|--:|--:|--:|--:|---|---|---|---|---|"]
    for entry in entries():
        numbers = [f"{number:,}" for number in _sizes(entry)]
        texts = [entry.comes, entry.description, _linked(entry.source), entry.licence, entry.remark]
        cells = [f"`{entry.name}`", *numbers, *texts]
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    fetched = [f"- `{entry.name}` from <{entry.address}>" for entry in entries() if entry.comes == "fetched"]
    return "\n".join([*rows, "", "Where fetched sets are downloaded from:", "", *fetched])


def page() -> str:
    """Return the page with the table as the registry has it."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
