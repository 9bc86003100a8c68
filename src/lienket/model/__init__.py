"""Checked, frozen description of a system: Statement, constraints, laws, events, model files, measurements."""
