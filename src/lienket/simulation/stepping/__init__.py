"""The arrays of a run, and the checks and projections that every step passes."""
