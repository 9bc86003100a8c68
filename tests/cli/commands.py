"""Running the command line inside the tests, and model files for it."""

import subprocess
import sys

from typer.testing import CliRunner

from lienket.cli.program import app

TWO_MASSES = """
lienket = 1
name = "two masses"
coordinates = ["x", "y"]
kinetic = "m*(der(x)^2 + der(y)^2)/2"
potential = "m*g*y"
[parameters]
m = 1
g = 9.81
"""
LOW = '[[constraints]]\nname = "low"\nequation = "y"\n'
TWICE = '[[constraints]]\nname = "twice"\nequation = "2*y"\n'
HIGH = '[[constraints]]\nname = "high"\nequation = "y - 1"\n'
BROKEN = TWO_MASSES.replace("m*g*y", "m*g*z").replace("der(y)", "der(yy)")


def lienket(*arguments):
    """Return the result of a command: .exit_code .stdout .stderr .exception."""
    return CliRunner().invoke(app, [str(a) for a in arguments], prog_name="lienket")


def process(*arguments, **options):
    """Return the result of a command run in a new process."""
    command = [sys.executable, "-m", "lienket", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)  # noqa: S603
