"""Backward differentiation formulas of order 1 to 5, for stiff systems."""
