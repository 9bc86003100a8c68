"""Reactions of the constraints: four methods, the share of each constraint, influence."""
