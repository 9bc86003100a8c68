"""Import of systems stated with sympy.physics.mechanics: parts_of(method) -> Parts."""

from .convert import parts_of
from .parts import Parts

__all__ = ["Parts", "parts_of"]
