"""Kernels that decide stick and slip; only to make them is numba needed."""
