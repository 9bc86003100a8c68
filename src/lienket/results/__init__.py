"""Results of a run besides its motion: reactions, energy, residuals, work, audit, files."""
