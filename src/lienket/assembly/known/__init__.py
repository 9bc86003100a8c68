"""Systems known from an earlier process: what a run needs of them, and the run without formulas."""
