"""The arrays of a run, and what every step goes through."""
