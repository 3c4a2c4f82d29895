"""Exact, fast classification trees under every splitting criterion.

One idea: a criterion is a function of a small table of class counts, and most are a comparison times
an entropy of order q. See `TreeClassifier`.
"""

from importlib.metadata import version as _version

from ramify import datasets, measures, sources
from ramify.criteria import list_criteria
from ramify.dialects import C45, PLAIN, Dialect
from ramify.estimator import TreeClassifier
from ramify.explaining.cases import explain
from ramify.explaining.rules import rules
from ramify.explaining.why import why
from ramify.export import export_dict, export_dot, export_mermaid, export_sql, export_text
from ramify.model_file import ModelFormatError, load_model, save_model
from ramify.path import QPath
from ramify.plotting import plot_importances, plot_q_path, plot_split, plot_tree
from ramify.presets import c45, cart, id3, utcdt
from ramify.pruning import choose_ccp_alpha, cost_complexity_pruning_path, prune
from ramify.selection import TreeClassifierCV
from ramify.tuning import q_path
from ramify.viewer import view

__version__ = _version("ramify")

__all__ = [
    "C45",
    "PLAIN",
    "Dialect",
    "ModelFormatError",
    "QPath",
    "TreeClassifier",
    "TreeClassifierCV",
    "__version__",
    "c45",
    "cart",
    "choose_ccp_alpha",
    "cost_complexity_pruning_path",
    "datasets",
    "explain",
    "export_dict",
    "export_dot",
    "export_mermaid",
    "export_sql",
    "export_text",
    "id3",
    "list_criteria",
    "load_model",
    "measures",
    "plot_importances",
    "plot_q_path",
    "plot_split",
    "plot_tree",
    "prune",
    "q_path",
    "rules",
    "save_model",
    "sources",
    "utcdt",
    "view",
    "why",
]
