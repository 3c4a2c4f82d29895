"""Run the commands of docs/cli.md, and write what they print into the page."""

import os
import random
import re
import tempfile
from pathlib import Path

from typer.testing import CliRunner

PAGE = Path(__file__).with_suffix(".md")

#: A block of the page: a command, and what it prints.
BLOCK = re.compile(r"```console\n\$ ([^\n]*)\n.*?```", re.DOTALL)


def customers() -> str:
    """Return the file of the page's examples: semicolons, decimal commas, a key, dates, missing values."""
    rng = random.Random(7)
    lines = ["customer_id;since;plan;monthly;calls;left"]
    for number in range(1, 401):
        plan = rng.choice(["basic", "basic", "family", "premium"])
        monthly = {"basic": 9.9, "family": 24.5, "premium": 39.0}[plan] + rng.randrange(0, 40) / 10
        calls = rng.choice([0, 0, 0, 1, 1, 2, 3, 5])
        year, month = rng.randrange(2015, 2025), rng.randrange(1, 13)
        odds = 0.08 + 0.17 * calls + (0.2 if year > 2021 else 0)
        left = "yes" if rng.random() < odds else "no"
        shown = "NA" if rng.random() < 0.06 else f"{monthly:.1f}".replace(".", ",")
        lines.append(f"{4000 + number};{year}-{month:02}-01;{plan};{shown};{calls};{left}")
    return "\n".join(lines) + "\n"


def output(command: str) -> str:
    """Run a command in this process, and return what it prints; ``| head -N`` is done here."""
    from ramify.cli import app

    command, _, rest = command.partition(" | head -")
    done = CliRunner().invoke(app, command.split()[1:], env={"NO_COLOR": "1", "COLUMNS": "100"})
    lines = done.output.rstrip("\n").split("\n")
    return "\n".join(line.rstrip() for line in (lines[: int(rest)] if rest else lines))


def page() -> str:
    """Return the page with what its commands print today."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("customers.csv").write_text(customers(), encoding="utf-8")
            text = PAGE.read_text(encoding="utf-8")
            return BLOCK.sub(lambda block: f"```console\n$ {block[1]}\n{output(block[1])}\n```", text)
        finally:
            os.chdir(before)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
