"""The blackboard of these scripts: titles, remarks, matrices as one writes them by hand, and numbers."""

from textwrap import fill
from typing import Any

import numpy as np
import sympy as sp
from sympy.physics.vector import vpprint


def title(text: str) -> None:
    """A heading."""
    print(f"\n\n{text}\n{'-' * len(text)}")


def remark(text: str) -> None:
    """A sentence or two; what is said about an error of the paper begins with "Paper:"."""
    print("\n" + fill(text, 100, initial_indent="  ", subsequent_indent="  "))


def show(**things: Any) -> None:
    """Formulas or matrices of formulas, each with its name in front; a column of numbers as a row."""
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
    """What the package prints by itself, moved in."""
    print()
    for line in str(text).splitlines():
        print(f"  {line}")
