"""Reactions on arrays: four methods, shares, influence, what is not ideal, drives."""
