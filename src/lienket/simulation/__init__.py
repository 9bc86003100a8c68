"""Motion in numbers: consistent start values, integrators, runs. Nothing symbolic comes here."""
