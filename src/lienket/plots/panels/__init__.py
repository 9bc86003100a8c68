"""Panels: one file for each kind of plot of a trajectory; `Panel` says what a kind consists of."""
