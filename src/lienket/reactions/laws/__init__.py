"""Forces of non-ideal laws as columns of generalized forces, one file per law (theory 9)."""

from .law_force import LawForce
from .of_constraint import law_force

__all__ = ["LawForce", "law_force"]
