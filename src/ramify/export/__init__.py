"""Trees for other eyes and other systems: text, plain Python, Graphviz, Mermaid, SQL.

All of them say what the model says: a row gets the answer from each that it gets from ``predict``.
"""

from ramify.export.dot import export_dot
from ramify.export.mermaid import export_mermaid
from ramify.export.nested import export_dict
from ramify.export.sql import export_sql
from ramify.export.text import export_text, node_text

__all__ = [
    "export_dict",
    "export_dot",
    "export_mermaid",
    "export_sql",
    "export_text",
    "node_text",
]
