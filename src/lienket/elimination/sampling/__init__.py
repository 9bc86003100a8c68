"""Random points on the constraints, and the elimination replayed there in numbers."""
