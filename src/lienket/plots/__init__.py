"""Plots of a trajectory; the only room that knows Matplotlib.

motion, reactions, energy, residuals, overview   Trajectory -> Figure
save_all                                         Trajectory, folder -> PNG files

Figures are made without pyplot: nothing is registered anywhere, no window opens, and a figure that is
dropped is gone.
"""

from .energy import energy
from .motion import motion
from .overview import overview
from .reactions import reactions
from .residuals import residuals
from .saving import save_all

__all__ = ["energy", "motion", "overview", "reactions", "residuals", "save_all"]
