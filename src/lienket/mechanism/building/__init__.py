"""Builders of mechanisms: what users call, collected with all its faults, and frozen."""
