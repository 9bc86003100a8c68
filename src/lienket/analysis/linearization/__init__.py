"""The linear system beside a state or a steady motion, in numbers and as formulas."""
