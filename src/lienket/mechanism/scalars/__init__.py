"""Scalars of any kind: vectors, matrices and rotations over them, and the algebra of the engine's expressions."""
