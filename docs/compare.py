"""Run the example of docs/compare.md, and write what it gives into the page."""

import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).with_suffix(".md")
BEGIN, END = "<!-- report -->", "<!-- end of report -->"
COMMAND = (
    "ramify compare balance-scale car glass haberman hepatitis ionosphere iris tic-tac-toe titanic vehicle "
    "vote wine --criteria gain,gain_ratio --q 1,2 --min-samples-leaf 2 --with c45,majority"
)


def report() -> tuple[str, dict[str, bytes]]:
    """Run the command, and return its report in Markdown, headings two levels down, and its pictures."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / PAGE.name
        command = [sys.executable, "-m", *COMMAND.split(), "--output", str(output)]
        subprocess.run(command, check=True)
        lines = output.read_text(encoding="utf-8").splitlines()
        files = {path.name: path.read_bytes() for path in output.with_name(f"{output.stem}_files").iterdir()}
    demoted = [f"##{line}" if line.startswith("#") else line for line in lines]
    return "\n".join(demoted).strip(), files


def page(text: str) -> str:
    """Return the page with another report in its place."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    return f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    found, pictures = report()
    PAGE.write_text(page(found), encoding="utf-8")
    folder = PAGE.with_name(f"{PAGE.stem}_files")
    folder.mkdir(exist_ok=True)
    for name, content in pictures.items():
        (folder / name).write_bytes(content)
