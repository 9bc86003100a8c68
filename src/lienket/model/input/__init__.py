"""Readers of user input: each returns a checked, frozen part of a statement or run and collects all faults."""
