"""Printing of expressions as LaTeX, MathML and plain text, by one common printer."""
