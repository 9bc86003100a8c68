"""python -m lienket: the same as the command `lienket`."""

from .cli import main

if __name__ == "__main__":
    main()
