"""The drives that make a motion."""
