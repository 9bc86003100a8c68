"""The command line; `commands` has a file for each command.

main -> program (typer) -> a command -> files.load, then methods of the system
             |
          failures: every error becomes a readable message on stderr and an exit code
"""

from .program import main

__all__ = ["main"]
