"""Elimination of constraint rows in compiled code: choice of rows, acceptance of one row, refinement."""
