"""Compiled handling of events within a step: roots of event functions, changes of sign, impacts."""
