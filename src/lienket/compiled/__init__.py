"""Expressions become machine code; nothing symbolic passes this door.

stated -> mechanics -> plans -> module -> machine, cache -> function, collected in model; see docs/machine-code.md.
"""
