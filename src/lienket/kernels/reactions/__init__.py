"""Reactions on arrays: four methods, shares, influence, non-ideal forces, drives."""
