"""Events of a run: location of their roots, impacts, and changes of the active constraints."""
