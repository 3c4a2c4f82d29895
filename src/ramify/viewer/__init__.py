"""The explorer: a tree, or all trees of a path over q, as one interactive page that needs no network.

    model or path -> Subject (trees, schema) -> data (compact, shared) -> page (one HTML file)

The page itself is built from `web/` and lies here ready to use: `page.html`, `explorer.js`, `explorer.css`.
"""

from ramify.viewer.view import View, view

__all__ = ["View", "view"]
