"""How an expression is printed: LaTeX, MathML and plain text, drawn by one printer."""
