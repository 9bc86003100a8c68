"""The free system A q'' = h: energy, generalized forces, Lagrange's equations, the matrix form of paper 004.

derive(FreeStatement) -> FreeSystem, which owns A, h, Q and N.
"""

from .lagrange import FreeSystem, derive

__all__ = ["FreeSystem", "derive"]
