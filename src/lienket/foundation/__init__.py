"""General tools without mechanics: frozen data classes, lazy imports, atomic file writing."""
