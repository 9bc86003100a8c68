"""Contacts in a run: their modes (open, sticking, sliding), mode changes and impacts."""
