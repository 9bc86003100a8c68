"""Contacts in numbers: formulas for their machine code, their modes at a state, starts that penetrate none."""
