"""Which data sets of a study are at hand; a study goes on without the others, and says so."""

from __future__ import annotations

from collections.abc import Iterable

from ramify.datasets import MissingDataset
from ramify.experiments.reproduce import _sets


def at_hand(names: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Return the names of the sets that can be loaded, and for each of the others why not.

    The reason is empty for a set that is not here, and words for one whose file can't be used.
    """
    found: list[str] = []
    missing: dict[str, str] = {}
    for name in names:
        try:
            _sets.load(name)
        except MissingDataset:
            missing[name] = ""
        except (OSError, ValueError) as error:  # a file that can't be read, or holds something else
            missing[name] = str(error)
        else:
            found.append(name)
    return found, missing


def words_on_missing(missing: dict[str, str]) -> str:
    """Return what a report says of the sets that are not at hand, and how to get them."""
    if not missing:
        return ""
    absent = [name for name, why in missing.items() if not why]
    parts = [f"Not at hand, so their cells are empty: {', '.join(missing)}."]
    if absent:
        commands = " ".join(f"--download {name}" for name in absent)
        parts.append(
            f"Their terms do not let them be shipped: get them with `ramify datasets {commands}`, or name a "
            f"folder that has them as NAME.csv by RAMIFY_DATA, and run again; what is done is not done twice."
        )
    parts += [f"{why[0].upper()}{why[1:]}" for why in missing.values() if why]
    return " ".join(parts)
