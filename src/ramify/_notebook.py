"""What notebooks show of a fitted model."""

from __future__ import annotations

from typing import Any


class ShownAsTree:
    """A mixin: once fitted, an estimator shows its tree in a notebook, and scikit-learn's diagram before.

    As with all estimators, ``sklearn.set_config(display="text")`` turns it off.
    """

    def _repr_html_inner(self) -> str:
        if hasattr(self, "tree_"):
            from ramify.viewer.view import notebook_html

            page = notebook_html(self)
            if page is not None:
                return page
        return super()._repr_html_inner()  # type: ignore[misc,no-any-return]

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] = self._repr_html_inner()
        return bundle
