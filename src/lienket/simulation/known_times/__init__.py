"""Known times: times at which formulas of time and parameters alone change their course, found before a run."""
