"""The outline of all integrators, compiled: steps, rows, when to stop."""
