"""Every constraint brought to G q'' + g0 = 0, with its position and velocity residuals; a file for each kind.

lower(Constraint, Engine) -> ConstraintRows, which owns G, g0 and the residuals. catalogue: ready constraints.
"""

from .lower import lower
from .rows import ConstraintRows

__all__ = ["ConstraintRows", "lower"]
