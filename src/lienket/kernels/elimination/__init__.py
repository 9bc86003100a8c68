"""Elimination of constraints one at a time on arrays: metric, chain, release, verdicts."""
