"""A parameter and the numbers it is to pass, as a user gives them: ("load", [0, 1, 2])."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..errors import did_you_mean
from ..records import dataclass
from .faults import Faults
from .given import number
from .names import key_name
from .statement import Statement


@dataclass(frozen=True)
class Over:
    """The name of a parameter and its numbers, at least two, all rising or all falling."""

    name: str
    values: tuple[float, ...]

    def place(self, statement: Statement) -> int:
        """The place of the parameter among those of a statement."""
        return [p.name for p in statement.parameters].index(self.name)


def state_over(over: Any, statement: Statement, faults: Faults) -> Over | None:
    """The parameter and its numbers from a pair; None if nothing is given or something is wrong with it."""
    if over is None:
        return None
    parts = list(over) if isinstance(over, (tuple, list)) else []
    if len(parts) != 2 or isinstance(parts[1], str) or not isinstance(parts[1], Iterable):
        faults.add("over", f"a pair such as ('load', [0, 1, 2]) is needed, not {over!r}")
        return None
    name, known = key_name(parts[0]), [p.name for p in statement.parameters]
    if name not in known:
        faults.add("over", f"{name} is no parameter of this system{did_you_mean(name, known)}")
    values = tuple(number(x, "over", name, faults) for x in parts[1])
    steps = np.diff(values)
    if len(values) < 2 or not (np.all(steps > 0) or np.all(steps < 0)):
        faults.add("over", f"the numbers of {name} must all rise or all fall, at least two of them")
        return None
    return Over(name, values) if name in known else None
