"""Linear system for small deviations from a state or a steady motion, in numbers and as formulas."""
