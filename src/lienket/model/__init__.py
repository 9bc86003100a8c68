"""What the user states, checked and frozen: Statement, constraints, laws, events, model files, measurements."""
