"""Plots of a trajectory; the only package that imports Matplotlib.

plot        Trajectory, kind -> Figure: the overview, or a panel of it by name
save_all    Trajectory, folder -> PNG files

A kind is a Panel (panels/), listed in kinds.py. Figures are created without pyplot: no window opens, and a figure is
freed when its last reference is dropped.
"""

from .kinds import PANELS, plot
from .saving import save_all

__all__ = ["PANELS", "plot", "save_all"]
