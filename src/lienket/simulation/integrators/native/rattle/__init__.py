"""Symplectic methods of fixed step size: the step, its corrections, the choice of its size."""
