"""Laws in the printed equations of motion (theory 9)."""
