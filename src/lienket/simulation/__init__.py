"""Motion in numbers: consistent start values. Nothing symbolic comes here."""
