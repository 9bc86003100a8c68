"""Machine code in memory and on disk: compilation, cache, calls from Python."""
