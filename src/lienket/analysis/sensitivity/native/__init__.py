"""Derivatives of the steps of dop853 and radau5, forward and backward, compiled."""
