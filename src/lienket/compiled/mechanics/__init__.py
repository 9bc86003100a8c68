"""The mechanics of a statement on the graph: energy, constraints, what is not ideal."""
