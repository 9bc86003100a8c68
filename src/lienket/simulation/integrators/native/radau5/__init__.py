"""Radau IIA of order 5, for stiff systems."""
