"""SymEngine interface: translation from and to SymPy, data functions, kinks, zero tests."""
