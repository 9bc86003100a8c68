"""SymEngine inside, SymPy outside: translation, functions given by data, kinks, zero tests."""
