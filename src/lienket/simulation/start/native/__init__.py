"""Compiled kernel of a start: the solution of the constraints near a guess, positions and velocities in one call."""
