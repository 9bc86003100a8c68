"""Constraints one at a time on arrays: metric, chain, release, verdicts."""
