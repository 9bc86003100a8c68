"""Contacts in a run: which stick, slide or open, and what an impact does to them."""
