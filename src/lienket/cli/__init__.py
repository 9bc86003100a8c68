"""The command line: check, derive, stages, simulate, demo; a file for each command.

main -> program (typer) -> a command -> files.load, then what the command asks of the system
             |
          failures: every error becomes a readable block on stderr and an exit code
"""

from .program import main

__all__ = ["main"]
