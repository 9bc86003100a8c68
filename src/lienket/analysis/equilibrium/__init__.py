"""Positions of rest, their stability, and branches of them over a parameter."""
