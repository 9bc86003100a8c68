"""What knows nothing of mechanics: frozen data classes, late imports, files written whole."""
