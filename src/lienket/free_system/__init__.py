"""Free system A q'' = h: energy, generalized forces, Lagrange's equations, the matrix form of paper 004.

derive(FreeStatement) -> FreeSystem, which holds A, h, Q and N.
"""

from .lagrange import FreeSystem, derive

__all__ = ["FreeSystem", "derive"]
