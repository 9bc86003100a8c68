"""The scratch memory of each method: a table of its blocks, by their shapes for n coordinates and s rows. No numba."""
