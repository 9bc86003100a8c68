"""Formulas of time alone in a statement: whose crossings are known times, and momenta that jump there."""
