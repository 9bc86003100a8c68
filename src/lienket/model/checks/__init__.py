"""Checks of a statement: names, units, the kinetic energy, the numbers of laws."""
