"""Pseudovelocity form (D^T A D) pi'' = D^T [h - A (D' pi' + d')] with q' = D pi' + d.

Source: theory 8; paper 001, eq. 2.13 and 3.10. With laws, h + c takes the place of h (theory 9). If c depends on
multipliers, the equations of eliminated coordinates determine them: A (D pi'' + gamma) = h + G^T lambda + c.

The sign before A is minus: paper 001 prints plus in both places (docs/errata.md). D' pi' + d' is the acceleration
gamma in q'' = D pi'' + gamma, so the form holds for every kind of constraint; only if velocities enter nonlinearly,
q' itself cannot be written as D pi' + d.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import sympy as sp

from ...errors import Faults, LienketError
from ...language.as_expression import as_expression
from ...language.engine.engine import Engine
from ...language.engine.zero_test import vanishes
from ...language.expression import EngineExpression, EngineSymbol, Expression
from ...language.names import name_problem
from ...language.symbols import coordinates, t
from ...model.constraint import Constraint
from ..chain import Chain
from ..linear_solve import solve, tidied
from ..null_space_step import ONE, ZERO, Matrix, Vector, dot, product, transposed
from ..sampling.point import with_parameters
from .equations import Equations, Line, Pseudovelocities, column, combination, constraint_lines, matrix, unevaluated_sum
from .laws import Laws

Rates = dict[EngineSymbol, EngineExpression]  # the velocities in terms of the pseudovelocities


def pseudovelocity(
    chain: Chain, constraints: tuple[Constraint, ...], laws: Laws, chosen: Pseudovelocities | None = None
) -> Equations:
    """Return the pseudovelocity form; without `chosen`, the pseudovelocities are the independent velocities of D.

    `chosen` maps a name for each pseudovelocity to an expression linear in q', one per degree of freedom.
    """
    names, D, gamma, d = _basis(chain, chosen)
    rates = {} if d is None else _rates(chain, names, D, d)
    gamma = tidied([[_substituted(e, rates) for e in gamma]])[0]
    DT = transposed(D, len(names))
    inertia = tidied(product(product(DT, chain.A), D))
    loaded, _ = laws.with_forces(chain)
    laws = _with_rates(loaded, laws, rates)
    force = [_substituted(h, rates) - dot(row, gamma) for h, row in zip(loaded.h, chain.A, strict=True)]
    right = tidied([[dot(row, force) for row in DT]])[0]
    result = _equations(loaded, laws, names, D, d, gamma, inertia, right)
    blocks = [*result.blocks, ("multipliers", _multiplier_lines(loaded, names, laws, D, force))]
    if d is None:  # q' = D pi' + d does not exist; the constraints bind the velocities
        blocks.append(("constraints", constraint_lines(constraints)))
    return replace(result, blocks=tuple(blocks), remarks=laws.remarks)


def _with_rates(chain: Chain, laws: Laws, rates: Rates) -> Laws:
    """Return the laws with friction forces expressed in pseudovelocities."""
    inward, outward = chain.engine.inward, chain.engine.outward
    frictions = {symbol: outward(_substituted(inward(e), rates)) for symbol, e in laws.frictions.items()}
    return replace(laws, frictions=frictions)


def _multiplier_lines(chain: Chain, names: list[Expression], laws: Laws, D: Matrix, force: Vector) -> tuple[Line, ...]:
    """Return (A D) pi'' = h - A gamma + G^T lambda + c of the coordinates that determine the contact multipliers."""
    needed = laws.determining_coordinates(chain)
    M = matrix(chain, tidied(product([chain.A[i] for i in needed], D)), len(names))
    f = laws.column(chain, tidied([[force[i] for i in needed]])[0])
    ideal = laws.ideal_reactions(chain, needed)
    rates = [sp.diff(name, t) for name in names]
    return tuple((combination(M.row(k), rates), unevaluated_sum(f[k], ideal[k])) for k in range(len(needed)))


def _basis(chain: Chain, chosen: Pseudovelocities | None) -> tuple[list[Expression], Matrix, Vector, Vector | None]:
    """Return the pseudovelocities and D, gamma, d with q' = D pi' + d and q'' = D pi'' + gamma."""
    engine = chain.engine
    if chosen is not None:
        names, F = _read(chain, chosen)
        return names, *_changed_basis(chain, F)
    if chain.choice == "pivot":
        # The rows of D of the independent coordinates form a unit matrix, so pi' are their velocities.
        return [engine.outward(engine.v[i]) for i in chain.free_coordinates], chain.D, chain.gamma, chain.d
    if chain.d is None:
        raise LienketError(
            "Velocities enter a constraint nonlinearly, so the orthogonal D depends on them and defines no "
            "pseudovelocities. Use choice='pivot', or pass pseudovelocities=..."
        )
    names = [coordinates(name) for name in _free_names(chain)]
    pi = [engine.stand_in(name) for name in names]
    drift = [dot(_rate(engine, row), pi) for row in chain.D]  # D' pi'
    gamma = [a + b for a, b in zip(drift, _rate(engine, chain.d), strict=True)]
    return names, chain.D, gamma, chain.d


def _equations(
    chain: Chain, laws: Laws, names: list[Expression], D: Matrix, d: Vector | None, gamma: Vector, inertia: Matrix,
    right: Vector,
) -> Equations:  # fmt: skip
    """Return the blocks "motion" and, if d exists, "velocities"."""
    engine, k = chain.engine, len(names)
    M, f, basis = matrix(chain, inertia, k), laws.column(chain, right), matrix(chain, D, k)
    rates = [sp.diff(name, t) for name in names]
    motion = tuple((combination(M.row(i), rates), f[i]) for i in range(k))
    blocks = [("motion", motion)]
    matrices = {"M": M, "f": f, "D": basis, "gamma": column(chain, gamma)}
    if d is not None:
        shift = column(chain, d)
        velocities = [engine.outward(v) for v in engine.v]
        sides = [unevaluated_sum(combination(basis.row(i), names), shift[i]) for i in range(len(velocities))]
        lines = tuple((v, side) for v, side in zip(velocities, sides, strict=True) if v != side)
        blocks.append(("velocities", lines))
        matrices["d"] = shift
    return Equations("pseudovelocity", tuple(blocks), matrices)


def _free_names(chain: Chain) -> list[str]:
    """Return names pi1, pi2, ... or, if one of these is in use, sigma1, ..."""
    used = {str(s) for s in (*chain.engine.q, *chain.parameters)}
    for letter in ("pi", "sigma", "pseudo"):
        names = [f"{letter}{k}" for k in range(1, chain.freedom + 1)]
        if used.isdisjoint(names):
            break
    return names


def _rates(chain: Chain, names: list[Expression], D: Matrix, d: Vector) -> Rates:
    """Return the substitution of every velocity: q' = D pi' + d."""
    pi = [_inward(chain.engine, name) for name in names]
    return {v: dot(row, pi) + shift for v, row, shift in zip(chain.engine.v, D, d, strict=True)}


def _inward(engine: Engine, name: Expression) -> EngineExpression:
    """Return the engine's symbol of a pseudovelocity."""
    return engine.inward(name) if isinstance(name, sp.Derivative) else engine.stand_in(name)


def _substituted(e: EngineExpression, rates: Rates) -> EngineExpression:
    return e.subs(rates) if rates else e


def _changed_basis(chain: Chain, F: Matrix) -> tuple[Matrix, Vector, Vector | None]:
    """Return D, gamma, d for pi' = F q': with q' = D0 s + d0, s = (F D0)^-1 (pi' - F d0); accelerations alike."""
    engine = chain.engine
    motion = {engine.t, *engine.q, *engine.v, *engine.a}
    new = {s for row in F for e in row for s in e.free_symbols} - motion - set(chain.parameters)
    points = [with_parameters(point, new, index) for index, point in enumerate(chain.points)]
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
    """Return the time derivative of the entries of a row of F(q, t)."""
    rates = []
    for entry in row:
        terms = [engine.derivative(entry, q) * v for q, v in zip(engine.q, engine.v, strict=True)]
        rates.append(sum(terms, engine.derivative(entry, engine.t)))
    return rates


def _read(chain: Chain, chosen: Pseudovelocities) -> tuple[list[Expression], Matrix]:
    """Read the pseudovelocities; return them as functions of time, and the matrix F of pi' = F q'."""
    faults = Faults()
    if not isinstance(chosen, Mapping):
        items = list(chosen) if isinstance(chosen, Iterable) and not isinstance(chosen, (str, sp.Basic)) else [chosen]
        chosen = dict(zip([*_free_names(chain), *(f"pi{k}" for k in range(99))], items, strict=False))
    if len(chosen) != chain.freedom:
        faults.add("pseudovelocities", f"{len(chosen)} are given for {chain.freedom} freedoms")
    used = {str(s) for s in (*chain.engine.q, *chain.parameters)}
    names, F = [], []
    for name, expression in chosen.items():
        where = f"pseudovelocity {name!r}"
        problem = name_problem(str(name)) or ("this name is taken" if name in used else "")
        if problem:
            faults.add(where, problem)
        else:
            names.append(coordinates(name))
            F.append(_row(chain.engine, as_expression(expression, where, faults), where, faults))
    faults.raise_any("The list of pseudovelocities")
    return names, F


def _row(engine: Engine, expression: Expression, where: str, faults: Faults) -> Vector:
    """Return the coefficients of q' in an expression linear in q'."""
    functions = {*engine.state_symbols, t}
    unknown = [a for a in expression.atoms(sp.core.function.AppliedUndef) if a not in functions]
    if unknown:
        faults.add(where, f"{', '.join(map(str, unknown))} is not a coordinate of the system")
        return []
    inside = engine.inward(expression)
    row = [engine.derivative(inside, v) for v in engine.v]
    nonlinear = any(not e.free_symbols.isdisjoint({*engine.v, *engine.a}) for e in row)
    if nonlinear or not vanishes(inside - dot(row, engine.v)):
        faults.add(where, "it must be linear in the velocities, without a constant term", "Write it as f(q) q'.")
    return row
