"""(D^T A D) pi'' = D^T [h - A (D' pi' + d')] with q' = D pi' + d (theory 8; paper 001, eq. 2.13 and 3.10).

With laws h + c takes the place of h (theory 9). Where c follows multipliers, the equations of eliminated coordinates
determine them: A (D pi'' + gamma) = h + G^T lambda + c.

The sign before A is minus: paper 001 prints plus in both places (docs/errata.md). D' pi' + d' is the acceleration
gamma with which q'' = D pi'' + gamma, so the form holds for every kind of constraint; only where velocities enter
nonlinearly can q' itself not be written as D pi' + d.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import sympy as sp

from ...errors import LienketError
from ...language.as_expression import as_expression
from ...language.engine.engine import Engine
from ...language.engine.zero_test import vanishes
from ...language.faults import Faults
from ...language.names import name_problem
from ...language.symbols import coordinates, t
from ...model.constraint import Constraint
from ..chain import Chain
from ..linear_solve import solve, tidied
from ..null_space_step import ONE, ZERO, Matrix, Vector, dot, product, transposed
from ..sampling.point import completed
from .equations import Equations, Line, added, column, combination, constraint_lines, matrix
from .laws import Laws


def pseudovelocity(chain: Chain, constraints: tuple[Constraint, ...], laws: Laws, given: Any = None) -> Equations:
    """The pseudovelocity form; without `given`, the pseudovelocities are the independent velocities of D.

    `given` maps a name for each pseudovelocity to an expression linear in q', as many as there are freedoms.
    """
    names, D, gamma, d = _basis(chain, given)
    rates = {} if d is None else _rates(chain, names, D, d)
    gamma = tidied([[_substituted(e, rates) for e in gamma]])[0]
    DT = transposed(D, len(names))
    inertia = tidied(product(product(DT, chain.A), D))
    under, _ = laws.load(chain)
    laws = _with_rates(under, laws, rates)
    force = [_substituted(h, rates) - dot(row, gamma) for h, row in zip(under.h, chain.A, strict=True)]
    right = tidied([[dot(row, force) for row in DT]])[0]
    written = _written(under, laws, names, D, d, gamma, inertia, right)
    blocks = [*written.blocks, ("multipliers", _multiplier_lines(under, names, laws, D, force))]
    if d is None:  # the velocities are bound by the constraints alone
        blocks.append(("constraints", constraint_lines(constraints)))
    return replace(written, blocks=tuple(blocks), remarks=laws.remarks)


def _with_rates(chain: Chain, laws: Laws, rates: dict[Any, Any]) -> Laws:
    """The laws with frictions written in pseudovelocities."""
    inward, outward = chain.engine.inward, chain.engine.outward
    found = {symbol: outward(_substituted(inward(e), rates)) for symbol, e in laws.frictions.items()}
    return replace(laws, frictions=found)


def _multiplier_lines(chain: Chain, names: list[Any], laws: Laws, D: Matrix, force: Vector) -> tuple[Line, ...]:
    """(A D) pi'' = h - A gamma + G^T lambda + c of the coordinates that determine the multipliers of frictions."""
    needed = laws.determining(chain)
    M = matrix(chain, tidied(product([chain.A[i] for i in needed], D)), len(names))
    f = laws.column(chain, tidied([[force[i] for i in needed]])[0])
    pushes = laws.reactions(chain, needed)
    rates = [sp.diff(name, t) for name in names]
    return tuple((combination(M.row(k), rates), added(f[k], pushes[k])) for k in range(len(needed)))


def _basis(chain: Chain, given: Any) -> tuple[list[Any], Matrix, Vector, Vector | None]:
    """The pseudovelocities and D, gamma, d with q' = D pi' + d and q'' = D pi'' + gamma."""
    engine = chain.engine
    if given is not None:
        names, F = _read(chain, given)
        return names, *_changed_basis(chain, F)
    if chain.choice == "pivot":
        # Row by row D is 1 at its own coordinate, so pi' are the velocities of the coordinates left.
        return [engine.outward(engine.v[i]) for i in chain.free_coordinates], chain.D, chain.gamma, chain.d
    if chain.d is None:
        raise LienketError(
            "Velocities enter a constraint nonlinearly, so the orthogonal D depends on them and has no "
            "pseudovelocities of its own. Use choice='pivot', or name pseudovelocities."
        )
    names = [coordinates(name) for name in _free_names(chain)]
    pi = [engine.stand_in(name) for name in names]
    turned = [dot(_rate(engine, row), pi) for row in chain.D]
    gamma = [a + b for a, b in zip(turned, _rate(engine, chain.d), strict=True)]
    return names, chain.D, gamma, chain.d


def _written(
    chain: Chain, laws: Laws, names: list[Any], D: Matrix, d: Vector | None, gamma: Vector, inertia: Matrix,
    right: Vector,
) -> Equations:  # fmt: skip
    engine, k = chain.engine, len(names)
    M, f, basis = matrix(chain, inertia, k), laws.column(chain, right), matrix(chain, D, k)
    rates = [sp.diff(name, t) for name in names]
    motion = tuple((combination(M.row(i), rates), f[i]) for i in range(k))
    blocks = [("motion", motion)]
    matrices = {"M": M, "f": f, "D": basis, "gamma": column(chain, gamma)}
    if d is not None:
        shift = column(chain, d)
        velocities = [engine.outward(v) for v in engine.v]
        sides = [added(combination(basis.row(i), names), shift[i]) for i in range(len(velocities))]
        lines = tuple((v, side) for v, side in zip(velocities, sides, strict=True) if v != side)
        blocks.append(("velocities", lines))
        matrices["d"] = shift
    return Equations("pseudovelocity", tuple(blocks), matrices)


def _free_names(chain: Chain) -> list[str]:
    """Names pi1, pi2, ... or, where one of these is taken, sigma1, ..."""
    taken = {str(s) for s in (*chain.engine.q, *chain.parameters)}
    for letter in ("pi", "sigma", "pseudo"):
        names = [f"{letter}{k}" for k in range(1, chain.freedom + 1)]
        if taken.isdisjoint(names):
            break
    return names


def _rates(chain: Chain, names: list[Any], D: Matrix, d: Vector) -> dict[Any, Any]:
    """Q' by pi': what every velocity is replaced with."""
    pi = [_inward(chain.engine, name) for name in names]
    return {v: dot(row, pi) + shift for v, row, shift in zip(chain.engine.v, D, d, strict=True)}


def _inward(engine: Engine, name: Any) -> Any:
    return engine.inward(name) if isinstance(name, sp.Derivative) else engine.stand_in(name)


def _substituted(e: Any, rates: dict[Any, Any]) -> Any:
    return e.subs(rates) if rates else e


def _changed_basis(chain: Chain, F: Matrix) -> tuple[Matrix, Vector, Vector | None]:
    """D, gamma, d for pi' = F q': with q' = D0 s + d0, s = (F D0)^-1 (pi' - F d0), and so for the accelerations."""
    engine = chain.engine
    motion = {engine.t, *engine.q, *engine.v, *engine.a}
    new = {s for row in F for e in row for s in e.free_symbols} - motion - set(chain.parameters)
    points = [completed(point, new, place) for place, point in enumerate(chain.points)]
    k = len(F)
    unit = [[ONE if i == j else ZERO for j in range(k)] for i in range(k)]
    D = tidied(product(chain.D, solve(tidied(product(F, chain.D)), unit, points, motion)))
    drift = [dot(_rate(engine, row), engine.v) + dot(row, chain.gamma) for row in F]  # F' q' + F gamma
    gamma = tidied([[g - dot(row, drift) for g, row in zip(chain.gamma, D, strict=True)]])[0]
    if chain.d is None:
        return D, gamma, None
    shift = [dot(row, chain.d) for row in F]
    return D, gamma, tidied([[x - dot(row, shift) for x, row in zip(chain.d, D, strict=True)]])[0]


def _rate(engine: Engine, row: Vector) -> Vector:
    """The time derivative of the entries of a row of F(q, t)."""
    found = []
    for entry in row:
        moved = [engine.derivative(entry, q) * v for q, v in zip(engine.q, engine.v, strict=True)]
        found.append(sum(moved, engine.derivative(entry, engine.t)))
    return found


def _read(chain: Chain, given: Any) -> tuple[list[Any], Matrix]:
    """The pseudovelocities as functions of time and the matrix F of pi' = F q'."""
    faults = Faults()
    if not isinstance(given, Mapping):
        items = list(given) if isinstance(given, Iterable) and not isinstance(given, (str, sp.Basic)) else [given]
        given = dict(zip([*_free_names(chain), *(f"pi{k}" for k in range(99))], items, strict=False))
    if len(given) != chain.freedom:
        faults.add("pseudovelocities", f"{len(given)} are given for {chain.freedom} freedoms")
    taken = {str(s) for s in (*chain.engine.q, *chain.parameters)}
    names, F = [], []
    for name, said in given.items():
        where = f"pseudovelocity {name!r}"
        problem = name_problem(str(name)) or ("this name is taken" if name in taken else "")
        if problem:
            faults.add(where, problem)
        else:
            names.append(coordinates(name))
            F.append(_row(chain.engine, as_expression(said, where, faults), where, faults))
    faults.raise_any("The list of pseudovelocities")
    return names, F


def _row(engine: Engine, expression: Any, where: str, faults: Faults) -> Vector:
    """The coefficients of q' in an expression linear in q'."""
    known = {*engine.known, t}
    strange = [a for a in expression.atoms(sp.core.function.AppliedUndef) if a not in known]
    if strange:
        faults.add(where, f"{', '.join(map(str, strange))} is no coordinate of the system")
        return []
    inside = engine.inward(expression)
    row = [engine.derivative(inside, v) for v in engine.v]
    bent = any(not e.free_symbols.isdisjoint({*engine.v, *engine.a}) for e in row)
    if bent or not vanishes(inside - dot(row, engine.v)):
        faults.add(where, "it must be linear in the velocities, without a term of its own", "Write it as f(q) q'.")
    return row
