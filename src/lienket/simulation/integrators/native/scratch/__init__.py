"""Scratch memory of each method: its blocks and their shapes for n coordinates and s constraint rows. No numba."""
