"""Printing for these scripts: titles, remarks, formulas and matrices in two-dimensional form, and numbers."""

from textwrap import fill
from typing import Any

import numpy as np
import sympy as sp
from sympy.physics.vector import vpprint


def title(text: str) -> None:
    """Print an underlined heading."""
    print(f"\n\n{text}\n{'-' * len(text)}")


def remark(text: str) -> None:
    """Print a paragraph; remarks on errors of the paper begin with "Paper:"."""
    print("\n" + fill(text, 100, initial_indent="  ", subsequent_indent="  "))


def show(**things: Any) -> None:
    """Print formulas or matrices after their names; columns of numbers are printed as rows."""
    for name, thing in things.items():
        if isinstance(thing, (np.ndarray, float)):
            digits = np.array2string(np.asarray(thing), precision=12, suppress_small=True, max_line_width=110)
            drawn = digits.splitlines()
        else:
            drawn = str(vpprint(sp.sympify(thing), wrap_line=False)).splitlines()
        label, middle = f"  {name} = ", (len(drawn) - 1) // 2
        print()
        for number, line in enumerate(drawn):
            print((label if number == middle else " " * len(label)) + line)


def lines(text: Any) -> None:
    """Print the text of an object of the package, indented."""
    print()
    for line in str(text).splitlines():
        print(f"  {line}")
