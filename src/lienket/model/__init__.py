"""What the user states: symbols, Statement, constraint statements, formulas as text, model files."""
