"""The linear system beside a state as formulas, for small systems.

    [A  -G^T; G  0] [a; lambda] = [h; -g0]                 at the state, with independent rows
    [A  -G^T; G  0] [da; dlambda] = -d(A a - h - G^T lambda, G a + g0)   a and lambda held

Deviations (dq, dv) = T dx keep the constraints as in `independent_states`. The state is put in before anything is
solved, so that only what it leaves is carried along.

LinearFormulas: the linear system beside a state with SymPy's matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import sympy as sp

from ...constraints import ConstraintRows
from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ...free_system import FreeSystem
from ...language.engine.engine import Engine


@dataclass(frozen=True, eq=False)
class AtState:
    """A state in which formulas are evaluated: numbers or expressions for t, q, v, by the engine's symbols."""

    engine: Engine
    values: Mapping[Any, Any]

    def __call__(self, expression: Any) -> Any:
        """The engine's expression at the state, as SymPy writes it in its simplest form."""
        return sp.simplify(self.engine.outward(expression.subs(self.values)))

    def jacobian(self, expressions: Sequence[Any], symbols: Sequence[Any]) -> sp.Matrix:
        """The derivatives of expressions by symbols, at the state."""
        derivative = self.engine.derivative
        return sp.Matrix(len(expressions), len(symbols), [self(derivative(e, s)) for e in expressions for s in symbols])

    def with_values(self, symbols: Sequence[Any], values: Sequence[Any]) -> AtState:
        """The same state with values for more symbols."""
        found = {s: self.engine.inward(x) for s, x in zip(symbols, values, strict=True)}
        return AtState(self.engine, {**self.values, **found})


@dataclass(frozen=True, eq=False)
class Linearized:
    """T (2 n x N), the places of x, the state with a and lambda, and how these change: with x, and with the inputs."""

    T: sp.Matrix
    places: list[int]
    at: AtState
    by_state: sp.Matrix
    by_inputs: sp.Matrix
    redundant: bool


def linearized(
    free: FreeSystem,
    rows: Sequence[ConstraintRows],
    at: AtState,
    symbols: Sequence[Any],
    inputs: Sequence[Any],
    wanted: Sequence[int] | None,
    forces: Sequence[Any],
) -> Linearized:
    """The linear system beside a state; `symbols` are the engine's multipliers, `inputs` its parameters.

    `forces` are h and what laws exert, n in the engine's symbols.

    `by_state` is (n + s) x N and `by_inputs` (n + s) x m: rows of accelerations, then of multipliers.
    """
    engine, n = at.engine, len(free.coordinates)
    _check_state(rows, at, inputs)
    G = [J for row in rows for J in row.inside_G]
    g0 = [c for row in rows for c in row.inside_g0]
    kept = _independent(_matrix(at, G, n))
    positions = [k for k, level in enumerate(_levels(rows)) if level == 0]
    velocities = [k for k, level in enumerate(_levels(rows)) if level <= 1]
    T, places = _tangent(rows, at, G, (positions, velocities), wanted)
    A = _matrix(at, free.kinetic.A, n)
    push = _matrix(at, [G[k] for k in kept], n)
    saddle = sp.BlockMatrix([[A, -push.T], [push, sp.zeros(len(kept), len(kept))]]).as_explicit() if kept else A
    right = sp.Matrix([*map(at, forces), *(-at(g0[k]) for k in kept)])
    solution = _solved(saddle, right)
    multipliers = [sp.S.Zero] * len(G)
    for k, x in zip(kept, solution[n:], strict=True):
        multipliers[k] = x
    there = at.with_values([*engine.a, *symbols], [*solution[:n], *multipliers])
    balance = [_dot(row, engine.a) - h for row, h in zip(free.kinetic.A, forces, strict=True)]
    balance = [e - _dot([J[i] for J in G], symbols) for i, e in enumerate(balance)]
    balance += [_dot(G[k], engine.a) + g0[k] for k in kept]
    by_x = _solved(saddle, -there.jacobian(balance, [*engine.q, *engine.v]) * T)
    by_u = _solved(saddle, -there.jacobian(balance, inputs))
    by_state, by_inputs = (_whole(x, n, kept, len(G)) for x in (by_x, by_u))
    return Linearized(T, places, there, by_state, by_inputs, len(kept) < len(G))


def _whole(changes: sp.Matrix, n: int, kept: Sequence[int], s: int) -> sp.Matrix:
    """The changes with a row for each multiplier, 0 for those of rows that were left out."""
    found = sp.zeros(n + s, changes.cols)
    found[:n, :] = changes[:n, :]
    for place, k in enumerate(kept):
        found[n + k, :] = changes[n + place, :]
    return found


def _check_state(rows: Sequence[ConstraintRows], at: AtState, inputs: Sequence[Any]) -> None:
    for row in rows:
        if row.drives or row.nonlinear:
            word = "a program" if row.drives else "nonlinear in the accelerations"
            raise LienketError(f"{row.name!r} is {word}; there are no formulas of the linear system then.")
        for level, residuals in (("position", row.position), ("velocity", row.velocity)):
            for e in residuals:
                left = at(e)
                if left != 0:
                    raise LienketError(
                        f"The state is not on its constraints: the {level} residual of {row.name!r} is {left}. "
                        "Give positions and velocities that satisfy it, as expressions of the parameters."
                    )
                moving = [at.engine.outward(p) for p in inputs if at(at.engine.derivative(e, p)) != 0]
                if moving:
                    raise LienketError(
                        f"{moving[0]} cannot be an input: it stands in the constraint {row.name!r}, and its time "
                        "derivatives would enter the accelerations."
                    )


def _levels(rows: Sequence[ConstraintRows]) -> list[int]:
    return [0 if row.position else 1 if row.velocity else 2 for row in rows for _ in row.inside_g0]


def _tangent(
    rows: Sequence[ConstraintRows],
    at: AtState,
    G: Sequence[Sequence[Any]],
    levels: tuple[list[int], list[int]],
    wanted: Sequence[int] | None,
) -> tuple[sp.Matrix, list[int]]:
    """T and the places of x: first those wanted, or else coordinates as early as can be, positions like velocities."""
    n = len(at.engine.q)
    held, moved = (_matrix(at, [G[k] for k in level], n) for level in levels)
    fast = None if wanted is None else [p - n for p in wanted if p >= n]
    slow = None if wanted is None else [p for p in wanted if p < n]
    velocities, F = _free(moved, fast or [])
    positions, E = _free(held, slow if slow is not None else velocities)
    if wanted is not None and (sorted(velocities) != sorted(fast or []) or sorted(positions) != sorted(slow or [])):
        raise LienketError(
            f"The states given do not determine the others: {len(positions)} independent positions and "
            f"{len(velocities)} independent velocities are needed."
        )
    residuals = [e for row in rows for e in row.velocity]
    turned = at.jacobian(residuals, at.engine.q) * E
    lifted = sp.zeros(n, len(positions))
    kept = _independent(moved)
    dependent = [i for i in range(n) if i not in velocities]
    carried = _solved(moved.extract(kept, dependent), -turned.extract(kept, range(turned.cols)))
    for row, i in enumerate(dependent):
        lifted[i, :] = carried[row, :]
    if not (turned + moved * lifted).applyfunc(sp.simplify).is_zero_matrix:
        raise LienketError(
            "Constraints depend on each other at this state but not beside it: there is no linear system."
        )
    T = sp.zeros(2 * n, len(positions) + len(velocities))
    T[:n, : len(positions)], T[n:, : len(positions)], T[n:, len(positions) :] = E, lifted, F
    places = [*positions, *(n + p for p in velocities)]
    if wanted is None:
        return T, places
    return T.extract(range(2 * n), [places.index(p) for p in wanted]), list(wanted)


def _free(G: sp.Matrix, first: Sequence[int]) -> tuple[list[int], sp.Matrix]:
    """The places of free columns of G x = 0, those in `first` if they can be, and x by them, n x k."""
    n = G.cols
    order = [*(i for i in reversed(range(n)) if i not in first), *reversed(first)]
    reduced, pivots = G.extract(range(G.rows), order).rref(simplify=True, iszerofunc=_vanishes)
    free = sorted(order[j] for j in range(n) if j not in pivots)
    found = sp.zeros(n, len(free))
    for k, i in enumerate(free):
        found[i, k] = 1
        for row, j in enumerate(pivots):
            found[order[j], k] = -reduced[row, order.index(i)]
    return free, found


def _independent(G: sp.Matrix) -> list[int]:
    """The numbers of rows that say something of their own."""
    return list(G.T.rref(simplify=True, iszerofunc=_vanishes)[1]) if G.rows else []


def _solved(M: sp.Matrix, B: sp.Matrix) -> sp.Matrix:
    if not M.rows or not B.cols:
        return sp.zeros(M.rows, B.cols)
    if _vanishes(M.det()):
        raise LienketError(
            "The linear system is singular at this state: something without mass is free, or it branches."
        )
    return M.LUsolve(B).applyfunc(sp.simplify)


def _matrix(at: Callable[[Any], Any], rows: Sequence[Sequence[Any]], width: int) -> sp.Matrix:
    return sp.Matrix(len(rows), width, [at(e) for row in rows for e in row])


def _vanishes(e: Any) -> bool:
    return bool(sp.simplify(e) == 0)


def _dot(left: Sequence[Any], right: Sequence[Any]) -> Any:
    return sum((a * b for a, b in zip(left, right, strict=True)), start=0 * right[0]) if len(right) else 0


@dataclass(frozen=True, eq=False)
class LinearFormulas:
    """x' = A x + B u, y = C x + D u as formulas; see `Linearization` in `result` for the names.

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
