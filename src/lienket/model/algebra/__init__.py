"""SymEngine inside, SymPy outside: translation, tidy forms, zero tests and how an expression is printed."""
