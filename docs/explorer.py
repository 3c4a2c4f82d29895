"""Makes the pictures of docs/explorer.md: ``python docs/explorer.py``, with Chromium installed."""

import base64
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser import Browser
from ramify import TreeClassifier, datasets, q_path, view

PICTURES = Path(__file__).parent / "explorer_files"
MOST_BYTES = 200_000


def pages(folder: Path) -> None:
    """Write the pages that are shown."""
    X, y = datasets.load("mushroom", return_X_y=True)
    model = TreeClassifier(q=1, n_runner_ups=2).fit(X, y)
    view(model, folder / "tree.html", X=X, y=y, title="Can I eat this mushroom?")
    X, y = datasets.load("car", return_X_y=True)
    path = q_path(X, y, n_repeats=2, min_samples_leaf=5, n_runner_ups=2)
    view(path, folder / "path.html", X=X, y=y, title="Car evaluation")


def picture(browser: Browser, name: str) -> None:
    """Save what the browser shows."""
    shot = base64.b64decode(browser.command("Page.captureScreenshot", format="png")["data"])
    if len(shot) > MOST_BYTES:
        raise ValueError(f"{name} has {len(shot)} bytes; at most {MOST_BYTES} are wanted.")
    (PICTURES / f"{name}.png").write_bytes(shot)


def main() -> None:
    """Make all pictures."""
    PICTURES.mkdir(exist_ok=True)
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as folder:
            pages(Path(folder))
            browser.open(Path(folder) / "tree.html", size=(1180, 720))
            browser.click_button("Case")
            browser.click("[aria-label='Next case']")
            picture(browser, "case")
            browser.open(Path(folder) / "path.html", size=(1180, 800), colours="dark")
            browser.click_button("Best")
            browser.click_node(2)
            picture(browser, "path")
    finally:
        browser.close()


if __name__ == "__main__":
    main()
