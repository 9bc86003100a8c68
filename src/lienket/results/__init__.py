"""How good a run is, and its numbers besides motion: energy balance, residuals, audit, files."""
