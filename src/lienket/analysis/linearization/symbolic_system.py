"""Linear system at a state as formulas, for small systems.

    [A  -G^T; G  0] [a; lambda] = [h; -g0]                 at the state, with independent rows
    [A  -G^T; G  0] [da; dlambda] = -d(A a - h - G^T lambda, G a + g0)   a and lambda held

Deviations (dq, dv) = T dx satisfy the constraints as in `independent_states`. The state is substituted before systems
are solved, so that the expressions stay short.

LinearFormulas   the linear system with SymPy's matrices
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy as sp

from ...constraints import ConstraintRows
from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ...free_system import FreeSystem
from ...language.engine.engine import Engine

if TYPE_CHECKING:
    from ...language.expression import Expression


@dataclass(frozen=True, eq=False)
class AtState:
    """State at which formulas are evaluated: numbers or expressions for t, q, v, by the engine's symbols."""

    engine: Engine
    values: Mapping[Any, Any]

    def __call__(self, expression: Expression) -> Expression:
        """Return an expression of the engine at the state, simplified by SymPy."""
        return sp.simplify(self.engine.outward(expression.subs(self.values)))

    def jacobian(self, expressions: Sequence[Any], symbols: Sequence[Any]) -> sp.Matrix:
        """Return the derivatives of expressions by symbols, at the state."""
        derivative = self.engine.derivative
        return sp.Matrix(len(expressions), len(symbols), [self(derivative(e, s)) for e in expressions for s in symbols])

    def with_values(self, symbols: Sequence[Any], values: Sequence[Any]) -> AtState:
        """Return the state with values for more symbols."""
        added = {s: self.engine.inward(x) for s, x in zip(symbols, values, strict=True)}
        return AtState(self.engine, {**self.values, **added})


@dataclass(frozen=True, eq=False)
class Linearized:
    """Accelerations and multipliers linearized at a state.

    T (2 n x N)             deviations (dq, dv) = T dx; `indices` (N) are those of x among (q, v)
    at                      the state with its accelerations and multipliers
    by_state ((n + s) x N)  derivatives of accelerations and multipliers by x
    by_inputs ((n + s) x m) derivatives of accelerations and multipliers by the inputs
    redundant               whether rows depend on others
    """

    T: sp.Matrix
    indices: list[int]
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
    chosen: Sequence[int] | None,
    forces: Sequence[Any],
) -> Linearized:
    """Linearize at a state; `symbols` are the engine's multipliers, `inputs` its parameters.

    `forces` (n) are h and the forces of laws in the engine's symbols; `chosen` are the indices of x, or None.
    """
    engine, n = at.engine, len(free.coordinates)
    _check_state(rows, at, inputs)
    G = [J for row in rows for J in row.inside_G]
    g0 = [c for row in rows for c in row.inside_g0]
    independent = _independent(_matrix(at, G, n))
    positions = [k for k, level in enumerate(_levels(rows)) if level == 0]
    velocities = [k for k, level in enumerate(_levels(rows)) if level <= 1]
    T, indices = _tangent(rows, at, G, (positions, velocities), chosen)
    A = _matrix(at, free.kinetic.A, n)
    G_at, s = _matrix(at, [G[k] for k in independent], n), len(independent)
    saddle = sp.BlockMatrix([[A, -G_at.T], [G_at, sp.zeros(s, s)]]).as_explicit() if s else A
    right = sp.Matrix([*map(at, forces), *(-at(g0[k]) for k in independent)])
    solution = _solve(saddle, right)
    multipliers = [sp.S.Zero] * len(G)
    for k, x in zip(independent, solution[n:], strict=True):
        multipliers[k] = x
    solved = at.with_values([*engine.a, *symbols], [*solution[:n], *multipliers])
    balance = [_dot(row, engine.a) - h for row, h in zip(free.kinetic.A, forces, strict=True)]
    balance = [e - _dot([J[i] for J in G], symbols) for i, e in enumerate(balance)]
    balance += [_dot(G[k], engine.a) + g0[k] for k in independent]
    by_x = _solve(saddle, -solved.jacobian(balance, [*engine.q, *engine.v]) * T)
    by_u = _solve(saddle, -solved.jacobian(balance, inputs))
    by_state, by_inputs = (_with_all_rows(x, n, independent, len(G)) for x in (by_x, by_u))
    return Linearized(T, indices, solved, by_state, by_inputs, s < len(G))


def _with_all_rows(changes: sp.Matrix, n: int, independent: Sequence[int], s: int) -> sp.Matrix:
    """Return the changes with a row for each of s multipliers, 0 for those of dependent rows."""
    of_all = sp.zeros(n + s, changes.cols)
    of_all[:n, :] = changes[:n, :]
    for row, k in enumerate(independent):
        of_all[n + k, :] = changes[n + row, :]
    return of_all


def _check_state(rows: Sequence[ConstraintRows], at: AtState, inputs: Sequence[Any]) -> None:
    """Raise an error if a row cannot be linearized, is violated at the state, or contains an input."""
    for row in rows:
        if row.drives or row.nonlinear:
            kind = "a program" if row.drives else "nonlinear in the accelerations"
            raise LienketError(
                f"{row.name!r} is {kind}: there are no formulas of the linear system. Linearize in numbers, "
                "without symbolic=True, or release it."
            )
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
                        f"{moving[0]} cannot be an input: it occurs in the constraint {row.name!r}, and its time "
                        "derivatives would enter the accelerations."
                    )


def _levels(rows: Sequence[ConstraintRows]) -> list[int]:
    """Return the level of each row: 0 holonomic, 1 on velocities, 2 on accelerations."""
    return [0 if row.position else 1 if row.velocity else 2 for row in rows for _ in row.inside_g0]


def _tangent(
    rows: Sequence[ConstraintRows],
    at: AtState,
    G: Sequence[Sequence[Any]],
    levels: tuple[list[int], list[int]],
    chosen: Sequence[int] | None,
) -> tuple[sp.Matrix, list[int]]:
    """Return T and the indices of x: the chosen ones, or else the first possible coordinates, also for velocities."""
    n = len(at.engine.q)
    on_q, on_v = (_matrix(at, [G[k] for k in level], n) for level in levels)
    of_v = None if chosen is None else [p - n for p in chosen if p >= n]
    of_q = None if chosen is None else [p for p in chosen if p < n]
    velocities, F = _free(on_v, of_v or [])
    positions, E = _free(on_q, of_q if of_q is not None else velocities)
    if chosen is not None and (sorted(velocities) != sorted(of_v or []) or sorted(positions) != sorted(of_q or [])):
        raise LienketError(
            f"The states in `independent` do not determine all others: {len(positions)} independent positions and "
            f"{len(velocities)} independent velocities are needed."
        )
    residuals = [e for row in rows for e in row.velocity]
    by_q = at.jacobian(residuals, at.engine.q) * E
    dv = sp.zeros(n, len(positions))
    independent = _independent(on_v)
    dependent = [i for i in range(n) if i not in velocities]
    solution = _solve(on_v.extract(independent, dependent), -by_q.extract(independent, range(by_q.cols)))
    for row, i in enumerate(dependent):
        dv[i, :] = solution[row, :]
    if not (by_q + on_v * dv).applyfunc(sp.simplify).is_zero_matrix:
        raise LienketError(
            "Constraints depend on each other at this state but not at neighbouring ones: there is no linear system. "
            "Linearize at another state."
        )
    T = sp.zeros(2 * n, len(positions) + len(velocities))
    T[:n, : len(positions)], T[n:, : len(positions)], T[n:, len(positions) :] = E, dv, F
    indices = [*positions, *(n + p for p in velocities)]
    if chosen is None:
        return T, indices
    return T.extract(range(2 * n), [indices.index(p) for p in chosen]), list(chosen)


def _free(G: sp.Matrix, first: Sequence[int]) -> tuple[list[int], sp.Matrix]:
    """Return the indices of the free columns of G x = 0, preferably those in `first`, and x in terms of them, n x k."""
    n = G.cols
    order = [*(i for i in reversed(range(n)) if i not in first), *reversed(first)]
    reduced, pivots = G.extract(range(G.rows), order).rref(simplify=True, iszerofunc=_vanishes)
    free = sorted(order[j] for j in range(n) if j not in pivots)
    basis = sp.zeros(n, len(free))
    for k, i in enumerate(free):
        basis[i, k] = 1
        for row, j in enumerate(pivots):
            basis[order[j], k] = -reduced[row, order.index(i)]
    return free, basis


def _independent(G: sp.Matrix) -> list[int]:
    """Return the indices of the independent rows."""
    return list(G.T.rref(simplify=True, iszerofunc=_vanishes)[1]) if G.rows else []


def _solve(M: sp.Matrix, B: sp.Matrix) -> sp.Matrix:
    """Solve M X = B; LienketError if M is singular."""
    if not M.rows or not B.cols:
        return sp.zeros(M.rows, B.cols)
    if _vanishes(M.det()):
        raise LienketError(
            "The equations are singular at this state: a massless coordinate is free, or the mechanism branches. "
            "Linearize at another state."
        )
    return M.LUsolve(B).applyfunc(sp.simplify)


def _matrix(at: Callable[[Any], Any], rows: Sequence[Sequence[Any]], width: int) -> sp.Matrix:
    """Return the matrix of rows of expressions at the state."""
    return sp.Matrix(len(rows), width, [at(e) for row in rows for e in row])


def _vanishes(e: Expression) -> bool:
    """Return whether an expression simplifies to 0."""
    return bool(sp.simplify(e) == 0)


def _dot(left: Sequence[Any], right: Sequence[Any]) -> Any:
    """Return the scalar product of two rows of expressions."""
    return sum((a * b for a, b in zip(left, right, strict=True)), start=0 * right[0]) if len(right) else 0


@dataclass(frozen=True)
class LinearFormulas:
    """Linear system x' = A x + B u, y = C x + D u as formulas, made by `System.linearize` with symbolic=True.

    Attributes
    ----------
    coordinates : tuple of str
        Names of the coordinates, n.
    states : tuple of str
        Names of the independent states x: "theta" for a position, "theta'" for a velocity, N.
    inputs : tuple of str
        Names of the parameters whose deviations are the inputs u, m.
    outputs : tuple of str
        Names of the outputs y; the states unless others were requested.
    A, B, C, D : Matrix
        SymPy matrices of the linear system (N x N, N x m, outputs x N, outputs x m).
    T : Matrix
        Matrix of the deviations of all positions, then all velocities: (dq, dv) = T x (2 n x N).

    Examples
    --------
    >>> x, y = lk.coordinates("x y")
    >>> m, g, l = lk.parameters("m g l")
    >>> free = lk.System("pendulum", [x, y], kinetic=m*(der(x)**2 + der(y)**2)/2, potential=m*g*y)
    >>> pendulum = free.constrain("rod", x**2 + y**2 - l**2)
    >>> formulas = pendulum.linearize({"y": -l}, symbolic=True)
    >>> formulas.A.tolist()
    [[0, 1], [-g/l, 0]]
    >>> formulas.characteristic.as_expr()
    g/l + s**2
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
        """Characteristic polynomial det(s I - A), a SymPy polynomial in s."""
        return self.A.charpoly(sp.Symbol("s"), simplify=sp.simplify)

    @cached_property
    def eigenvalues(self) -> tuple[Any, ...]:
        """Eigenvalues as formulas, repeated by multiplicity.

        Reading them raises a LienketError if the characteristic equation cannot be solved in roots.
        """
        roots = sp.roots(self.characteristic)
        listed = [sp.simplify(root) for root, count in roots.items() for _ in range(count)]
        if len(listed) < len(self.states):
            raise LienketError(
                f"The eigenvalues cannot be written as formulas: {self.characteristic.as_expr()} = 0 is not solved "
                "in roots. Give numbers, without symbolic=True."
            )
        return tuple(listed)

    def text(self) -> str:
        """Return the states and the matrices in plain text.

        Returns
        -------
        str
            One line per list of names and per matrix.
        """
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
