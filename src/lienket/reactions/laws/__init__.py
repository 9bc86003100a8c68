"""What laws exert: each in a file of its own, as columns of generalized forces (theory 9)."""

from .law_force import Exerts
from .of_constraint import exerts

__all__ = ["Exerts", "exerts"]
