"""What a user hands in, read into frozen parts of a statement or of a run, or all its faults."""
