"""Plots of a trajectory; the only package that imports Matplotlib.

motion, reactions, energy, residuals, overview   Trajectory -> Figure
save_all                                         Trajectory, folder -> PNG files

Figures are created without pyplot: no window opens, and a figure is freed when its last reference is
dropped.
"""

from .energy import energy
from .motion import motion
from .overview import overview
from .reactions import reactions
from .residuals import residuals
from .saving import save_all

__all__ = ["energy", "motion", "overview", "reactions", "residuals", "save_all"]
