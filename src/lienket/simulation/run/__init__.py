"""Runs: the loop from start to end, and the result."""
