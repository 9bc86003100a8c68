"""Integrators, one file or folder each."""
