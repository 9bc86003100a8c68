"""Mechanics of a statement on the graph: energy, constraints, friction and drives."""
