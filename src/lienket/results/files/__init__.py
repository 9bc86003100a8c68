"""Trajectories in files, whole or not at all."""
