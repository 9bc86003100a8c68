"""Events within a step, compiled: where conditions pass through zero, signs that turn, impacts."""
