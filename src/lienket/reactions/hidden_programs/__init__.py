"""What programs ask for beside themselves: rows that must hold as well (theory 10)."""
