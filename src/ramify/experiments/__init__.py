"""Experiments: the papers' tables made again, and settings compared with each other.

Not imported by ``import ramify``. See `reproduce`.
"""

from ramify.experiments.journal import Journal, JournalError
from ramify.experiments.render import render
from ramify.experiments.report import Cell, Figure, Listing, Report, Section, Series, Step, Steps, Table
from ramify.experiments.reproduce import Options, Study, list_studies, reproduce

__all__ = [
    "Cell",
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
    "list_studies",
    "render",
    "reproduce",
]
