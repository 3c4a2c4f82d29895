"""Figures, with matplotlib."""

from ramify.plotting.importances import plot_importances
from ramify.plotting.q_path import plot_q_path
from ramify.plotting.split import plot_split
from ramify.plotting.tree import plot_tree

__all__ = ["plot_importances", "plot_q_path", "plot_split", "plot_tree"]
