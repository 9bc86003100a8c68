"""Expressions as one graph in which equal ones are one node: translated, differentiated, shared, evaluated."""
