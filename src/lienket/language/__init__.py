"""The formulas people write: symbols, functions, text, SymEngine behind one door, simplifying, printing."""
