"""Elimination of one constraint at a time: D, H, C, f; verdicts; the forms of the equations."""
