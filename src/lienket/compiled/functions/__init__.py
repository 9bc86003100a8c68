"""Plans of the compiled functions, and the elimination of the saddle matrix as straight-line code."""
