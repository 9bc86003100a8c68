"""Points at which formulas are tried: on the constraints, and stages replayed there in numbers."""
