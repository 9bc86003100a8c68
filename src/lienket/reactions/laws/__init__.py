"""What laws exert: each in a file of its own, as columns of generalized forces (theory 9)."""

from .law_force import LawForce
from .of_constraint import law_force

__all__ = ["LawForce", "law_force"]
