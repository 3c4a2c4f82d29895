"""Draw the pictures of docs/explain.md: ``python docs/explain.py``."""

from pathlib import Path

FOLDER = Path(__file__).with_name("explain_files")


def draw(folder: Path = FOLDER) -> list[Path]:
    """Draw all pictures into a folder, and return their files."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    from ramify import TreeClassifier, datasets, plot_importances, plot_split, plot_tree

    X, y = datasets.load("titanic", return_X_y=True)
    flowers, kinds = datasets.load("iris", return_X_y=True)
    small = TreeClassifier(max_depth=3).fit(X, y)
    by_petals = TreeClassifier(max_depth=2).fit(flowers, kinds)
    many = TreeClassifier(criterion="gain_ratio", branching="multiway").fit(X, y)
    figures = {
        "tree": plot_tree(small),
        "tree_multiway": plot_tree(many),
        "split_nominal": plot_split(small, 1, X, y),
        "split_numeric": plot_split(by_petals, 2, flowers, kinds),
        "importances": plot_importances(TreeClassifier().fit(flowers, kinds)),
    }
    folder.mkdir(exist_ok=True)
    files = []
    for name, ax in figures.items():
        files.append(folder / f"{name}.png")
        ax.figure.savefig(files[-1], dpi=110, metadata={"Software": None})
        plt.close(ax.figure)
    return files


if __name__ == "__main__":
    for file in draw():
        print(file)
