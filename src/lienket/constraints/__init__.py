"""Constraints of every kind as rows G q'' + g0 = 0 with position and velocity residuals; one file per kind.

lower(Constraint, Engine) -> ConstraintRows, which holds G, g0 and the residuals. catalogue: ready-made constraints.
"""

from .lower import lower
from .rows import ConstraintRows

__all__ = ["ConstraintRows", "lower"]
