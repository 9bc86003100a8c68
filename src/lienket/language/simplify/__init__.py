"""Simplification of expressions: quotients, common factors, sums of sines and cosines."""
