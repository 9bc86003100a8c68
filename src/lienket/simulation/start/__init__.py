"""Positions and velocities that satisfy the constraints, to begin with."""
