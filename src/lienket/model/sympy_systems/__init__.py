"""Systems stated with sympy.physics.mechanics, taken over: parts_of(method) -> Parts."""

from .parts import Parts
from .taken_over import parts_of

__all__ = ["Parts", "parts_of"]
