"""Audit of a run: needed changes of the motion, energy balance, activity, warnings."""
