"""A run from its start to its end, and what it gives."""
