"""Expressions become machine code; nothing symbolic passes this door.

graph -> mechanics -> functions -> emit -> machine, collected in model; see docs/machine-code.md.
"""
