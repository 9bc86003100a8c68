"""LinearFormulas: the linear system beside a state with SymPy's matrices."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import sympy as sp

from ..errors import LienketError
from ..records import dataclass


@dataclass(frozen=True, eq=False)
class LinearFormulas:
    """x' = A x + B u, y = C x + D u as formulas; see `results.linearization.Linearization` for the names.

    T (2 n x N) gives the deviations of all positions, then all velocities of `coordinates`.
    """

    coordinates: tuple[str, ...]
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    A: sp.ImmutableMatrix
    B: sp.ImmutableMatrix
    C: sp.ImmutableMatrix
    D: sp.ImmutableMatrix
    T: sp.ImmutableMatrix

    @cached_property
    def characteristic(self) -> Any:
        """The characteristic polynomial det(s I - A), a SymPy polynomial in s."""
        return self.A.charpoly(sp.Symbol("s"), simplify=sp.simplify)

    @cached_property
    def eigenvalues(self) -> tuple[Any, ...]:
        """The eigenvalues as formulas, as often as they occur; LienketError where there are none in roots."""
        found = sp.roots(self.characteristic)
        listed = [sp.simplify(root) for root, count in found.items() for _ in range(count)]
        if len(listed) < len(self.states):
            raise LienketError(
                f"The eigenvalues cannot be written as formulas: {self.characteristic.as_expr()} = 0 is not solved "
                "in roots. Give numbers, without symbolic=True."
            )
        return tuple(listed)

    def text(self) -> str:
        """The states and the matrices."""
        lines = [f"x = {', '.join(self.states)}", f"A = {self.A.tolist()}"]
        if self.inputs:
            lines += [f"u = {', '.join(self.inputs)}", f"B = {self.B.tolist()}"]
        if self.outputs != self.states:
            lines += [f"y = {', '.join(self.outputs)}", f"C = {self.C.tolist()}", f"D = {self.D.tolist()}"]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()
