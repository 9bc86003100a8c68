"""Gear's formulas of order 1 to 5, for stiff systems."""
