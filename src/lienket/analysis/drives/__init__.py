"""Inverse dynamics: the drives that a prescribed motion requires."""
