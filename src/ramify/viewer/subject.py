"""What a page is about: one tree, or the trees of a path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.utils.validation import check_is_fitted

from ramify.estimator import TreeClassifier
from ramify.path import QPath
from ramify.schema import Schema
from ramify.selection import TreeClassifierCV

_ACCEPTED = "a fitted TreeClassifier, a fitted TreeClassifierCV or a QPath"


@dataclass(frozen=True)
class Subject:
    """The models whose trees a page shows.

    Attributes
    ----------
    models : list of TreeClassifier
        Fitted, one for each distinct tree; they differ in `q` and in the tree only.
    path : QPath, optional
        Where the trees come from; ``models[i]`` is that of ``path.trees_[i]``.
    start : int
        The place in ``path.qs_`` that is shown first; 0 without a path.
    """

    models: list[TreeClassifier]
    path: QPath | None = None
    start: int = 0

    @property
    def schema(self) -> Schema:
        """The columns and classes, the same for all models."""
        return self.models[0].schema_

    @classmethod
    def of(cls, model: Any, q: float | None = None) -> Subject:
        """Make the subject of what was given to `view`, which begins with the tree of `q`.

        Raises
        ------
        TypeError
            If it is neither a model nor a path.
        ValueError
            If a path does not know its columns, being that of a `TreeClassifierCV`, or has no such `q`.
        NotFittedError
            If the model is not fitted.
        """
        if isinstance(model, QPath):
            grower = model._grower
            if grower is None:
                raise ValueError(
                    "model is the path of a TreeClassifierCV, which does not know its columns; give the "
                    "TreeClassifierCV itself."
                )
            plain = grower.model.get_params()
            models = _models_of(model, plain, grower.schema, grower.everything.class_weight)
            return cls(models, model, model.position(model.tradeoff_q_ if q is None else q))
        if isinstance(model, TreeClassifierCV):
            check_is_fitted(model, "tree_")
            path = model.path_
            plain = model.best_estimator_.get_params()
            models = _models_of(path, plain, model.schema_, model.class_weight_)
            return cls(models, path, path.position(model.q_ if q is None else q))
        if isinstance(model, TreeClassifier):
            check_is_fitted(model, "tree_")
            if q is not None:
                raise ValueError(f"q={q!r} was given with a single tree; it belongs to a path.")
            return cls([model])
        raise TypeError(f"model={model!r} is not accepted; it must be {_ACCEPTED}.")


def _models_of(
    path: QPath, parameters: dict[str, Any], schema: Schema, class_weight: Any
) -> list[TreeClassifier]:
    """Return a model for each tree of a path, with the lowest q that grows it."""
    models = []
    for entry in path.trees_:
        model = TreeClassifier(**(parameters | {"q": entry.q_low}))
        model._set_fitted(schema, entry.tree, class_weight)
        models.append(model)
    return models
