"""Compilation of a statement to machine code; symbolic expressions are used in this room and nowhere after it.

graph -> mechanics -> functions -> emit -> machine, collected in model; see docs/machine-code.md.
"""
