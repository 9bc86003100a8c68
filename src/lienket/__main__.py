"""Entry point of `python -m lienket`, equal to the command `lienket`."""

from .cli import main

if __name__ == "__main__":
    main()
