"""Motion in numbers: start, steps, integrators, events, contacts, runs. Nothing symbolic comes here."""
