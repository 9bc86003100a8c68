"""The formula language: symbols, functions, text, the SymEngine interface, simplification, printing."""
