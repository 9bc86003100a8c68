"""Consistent start values: positions and velocities that satisfy the constraints."""
