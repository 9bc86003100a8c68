"""Compiled step loop of all integrators: steps, rows, reasons to return to Python."""
