"""Machine code in memory and on disk: compiled, kept, found again, called."""
