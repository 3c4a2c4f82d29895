"""Experiments: the papers' tables made again, and settings compared with each other.

Not imported by ``import ramify``. See `reproduce` and `compare`.
"""

from ramify.experiments.comparing import compare
from ramify.experiments.comparison import Comparison
from ramify.experiments.journal import Journal, JournalError
from ramify.experiments.render import render
from ramify.experiments.report import Cell, Figure, Listing, Report, Section, Series, Step, Steps, Table
from ramify.experiments.reproduce import Options, Study, list_studies, reproduce
from ramify.experiments.settings import make_models

__all__ = [
    "Cell",
    "Comparison",
    "Figure",
    "Journal",
    "JournalError",
    "Listing",
    "Options",
    "Report",
    "Section",
    "Series",
    "Step",
    "Steps",
    "Study",
    "Table",
    "compare",
    "list_studies",
    "make_models",
    "render",
    "reproduce",
]
