"""Expressions become functions of numbers; nothing symbolic passes this door."""
