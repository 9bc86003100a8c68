"""Motion: start values, integrators, runs."""
