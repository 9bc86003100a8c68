"""Derivatives of a motion by parameters and start values."""
