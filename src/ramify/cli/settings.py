"""The settings of a tree, from the words of a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ramify import TreeClassifier, c45, cart, id3
from ramify._parameters import check_jobs, check_settings, refuse

#: Systems whose settings a user may begin with.
PRESETS: dict[str, Callable[..., TreeClassifier]] = {"id3": id3, "c45": c45, "cart": cart}


def make_settings(preset: str | None, given: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of `TreeClassifier`: those of a preset, and what was given instead.

    Parameters
    ----------
    preset : str, optional
        One of `PRESETS`.
    given : dict
        Parameters; None is what was not given. ``pruning="none"`` is no pruning.

    Raises
    ------
    ValueError, TypeError
        If a value is not accepted; the text names it.
    """
    if preset is not None and preset not in PRESETS:
        raise refuse("preset", preset, " or ".join(PRESETS))
    settings: dict[str, Any] = PRESETS[preset]().get_params() if preset else {}
    chosen = {name: value for name, value in given.items() if value is not None}
    if "criterion" in chosen and "q" not in chosen:
        settings.pop("q", None)  # a preset's order belongs to its criterion
    if chosen.get("pruning") == "none":
        chosen["pruning"] = None
    for name in ("min_samples_leaf", "min_samples_split"):
        if name in chosen and chosen[name] >= 1 and float(chosen[name]).is_integer():
            chosen[name] = int(chosen[name])
    settings |= chosen
    if settings.get("pruning") == "cost_complexity":
        settings.setdefault("ccp_alpha", "cv")
    if "ccp_alpha" in settings and settings["ccp_alpha"] != "cv":
        settings["ccp_alpha"] = _number("ccp_alpha", settings["ccp_alpha"])
    return settings


def order_of(text: str | None) -> float | str | None:
    """Return an order q as a number; ``auto`` and None stay.

    Raises
    ------
    ValueError
        If it is something else.
    """
    if text is None or text == "auto":
        return text
    try:
        return float(text)
    except ValueError:
        raise refuse("q", text, "a number >= 0, or auto") from None


def check(model: TreeClassifier) -> None:
    """Check settings before anything is read; what depends on the rows is checked later.

    Raises
    ------
    ValueError, TypeError
        If a value is not accepted; the text names it.
    """
    from ramify._parameters import MISSING, check_choice, check_pruning
    from ramify._pruning import check_alpha

    check_settings(model, n_rows=2, weight=2.0, names=["x"], named=True)
    check_choice("missing", model.missing, MISSING)
    check_pruning(model)
    if model.ccp_alpha != "cv":
        check_alpha(model.ccp_alpha)
    check_jobs(model.n_jobs)


def _number(name: str, text: Any) -> float:
    try:
        return float(text)
    except ValueError:
        raise refuse(name, text, "a number >= 0, or cv") from None
