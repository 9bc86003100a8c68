"""Numerical simulation: start states, steps, integrators, events, contacts, runs. Nothing here is symbolic."""
