"""State of a system from its numbers: the constraints are eliminated one after another.

Constraints that are nonlinear in q'' are linearised at an iterate and solved by Newton's method, beginning with the
accelerations under the other constraints (theory 3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ..compiled.state_numbers import Evaluator, StateNumbers, with_rows
from ..elimination.verdict import Verdict
from ..errors import LienketError
from ..foundation.arrays import Array
from .elimination.chain import RANK_TOLERANCE, NumericChain, constrain, free_chain, refined
from .on_constraints import nearly_dependent, on_constraints
from .state import State

NEWTON_STEP_LIMIT = 60  # [steps] limit of Newton steps for constraints nonlinear in the accelerations
STEP_HALVING_LIMIT = 30  # [halvings] limit of halvings of one Newton step
# [1] last Newton step, relative to the largest acceleration, that counts as converged
ACCELERATION_STEP_TOLERANCE = 1e-12
RESIDUAL_ALLOWED_AFTER_STEP = 0.1  # [1] residual, relative to its terms, up to which a Newton step may increase it
RESIDUAL_TOLERANCE = 1e-12  # [1] residual, relative to its terms, that counts as zero
RESIDUAL_ROUNDING = 1e-10  # [1] residual and last step, relative, that are accepted after the last Newton step


def solve(
    evaluator: Evaluator,
    t: float,
    q: Array,
    v: Array,
    parameters: Array,
    names: tuple[str, ...],
    judge: Callable[[Verdict], Verdict],
    without: Callable[[str], State] | None,
    tolerance: float = RANK_TOLERANCE,
    modes: tuple[tuple[str, str], ...] = (),
) -> State:
    """Return the State at t, q (n), v (n) for the values of the parameters."""
    numbers = _finite(evaluator(t, q, v, parameters))
    if evaluator.nonlinear:
        _refuse_programs(evaluator, numbers)
        numbers = _newton(evaluator, numbers, parameters, tolerance)
    chain = eliminate(numbers, tolerance)
    judged = None
    if not evaluator.nonlinear and nearly_dependent(chain):
        judged = on_constraints(evaluator, numbers, parameters)
        if judged is not None:
            skipped = eliminate(judged, tolerance).skipped
            chain = eliminate(numbers, tolerance, frozenset((row.name, row.number) for row in skipped))
    return State(names, numbers, chain, judge, without, modes, judged)


def eliminate(
    numbers: StateNumbers, tolerance: float = RANK_TOLERANCE, dependent: frozenset[tuple[str, int]] = frozenset()
) -> NumericChain:
    """Return the chain of all constraints that are not programs, in order; rows known to be `dependent` are skipped."""
    chain = free_chain(numbers.A, numbers.h, numbers.G, tolerance, numbers.inertias)
    for row in numbers.rows:
        if not row.program:
            chain = constrain(chain, row.name, row.G, row.g0, dependent)
    return refined(chain)


def _newton(evaluator: Evaluator, numbers: StateNumbers, parameters: Array, tolerance: float) -> StateNumbers:
    """Return the numbers with G and g0 linearised at the accelerations that solve the equations."""

    def at(a: Array) -> StateNumbers:
        """Return the numbers linearised at the accelerations a."""
        return evaluator(numbers.t, numbers.q, numbers.v, parameters, a)

    chain = eliminate(with_rows(numbers, [r for r in numbers.rows if r.name not in evaluator.nonlinear]), tolerance)
    a = start = chain.a * chain.metric.scale
    current = _finite(at(a))
    if any(not np.any(row.G) for row in current.rows if row.name in evaluator.nonlinear):
        # G = 0, as for x''^2 = 4 at x'' = 0: begin at other accelerations.
        a = start + (1 + np.max(np.abs(start), initial=0.0)) * (1 + 0.1 * np.arange(len(start)))
        current = _finite(at(a))
    first = _terms(current, a)  # sizes at the start count too: near a solution all terms may be small
    for _ in range(NEWTON_STEP_LIMIT):
        scales = {name: np.maximum(sizes, first[name]) for name, sizes in _terms(current, a).items()}
        chain = eliminate(current, tolerance)
        step = chain.a * chain.metric.scale - a
        largest = np.max(np.maximum(np.abs(a), np.abs(start)), initial=0.0)
        misfit = _misfit(current, a, scales)
        if np.all(np.abs(step) <= ACCELERATION_STEP_TOLERANCE * largest) and misfit <= RESIDUAL_TOLERANCE:
            return _finite(at(a + step))
        a, current = _damped_step(at, a, step, misfit, scales)
    if _misfit(current, a, scales) <= RESIDUAL_ROUNDING and np.all(np.abs(step) <= RESIDUAL_ROUNDING * largest):
        return current
    misfits = {name: _misfit(current, a, {name: scales[name]}) for name in evaluator.nonlinear}
    worst = max(misfits, key=misfits.__getitem__)
    raise LienketError(
        f"Newton's method finds no accelerations that satisfy {worst!r}, which is nonlinear in the accelerations: "
        f"after {NEWTON_STEP_LIMIT} steps its residual is still {misfits[worst]:.2g} of its terms. Check that it can "
        "be satisfied at this state, or state it linearly."
    )


def _damped_step(
    at: Callable[[Array], StateNumbers], a: Array, step: Array, misfit: float, scales: Mapping[str, Array]
) -> tuple[Array, StateNumbers]:
    """Return the accelerations after a step, halved until the residual decreases or is small, and their numbers.

    Near the constraint a step runs along it towards r = G^T lambda and may increase the residual a little.
    """
    for halving in range(STEP_HALVING_LIMIT):
        trial = a + step * 0.5**halving
        numbers = at(trial)
        if _misfit(numbers, trial, scales) <= max(misfit * (1 - 1e-4 * 0.5**halving), RESIDUAL_ALLOWED_AFTER_STEP):
            break
    return trial, numbers


def _terms(numbers: StateNumbers, a: Array) -> dict[str, Array]:
    """Return the sizes of the terms of G a + g0, by constraint."""
    return {row.name: np.abs(row.G) @ np.abs(a) + row.sizes[2] for row in numbers.rows}


def _misfit(numbers: StateNumbers, a: Array, scales: Mapping[str, Array]) -> float:
    """Return the largest |G a + g0| relative to the scales."""
    worst = 0.0
    for row in numbers.rows:
        if row.name in scales:
            sizes = np.where(scales[row.name] > 0, scales[row.name], 1.0)
            worst = max(worst, float(np.max(np.abs(row.G @ a + row.g0) / sizes)))
    return worst


def _refuse_programs(evaluator: Evaluator, numbers: StateNumbers) -> None:
    """Raise an error for programs beside constraints that are nonlinear in the accelerations."""
    programs = [row.name for row in numbers.rows if row.drives]
    if programs:
        raise LienketError(
            f"The program {programs[0]!r} cannot be solved together with {evaluator.nonlinear[0]!r}, which is "
            "nonlinear in the accelerations. Use a program or a nonlinear constraint, not both."
        )


def _finite(numbers: StateNumbers) -> StateNumbers:
    """Return the numbers; raise an error that names all terms that are not finite."""
    if numbers.finite:
        return numbers
    parts = {"the inertia matrix A": numbers.A, "the right side h": numbers.h}
    for row in numbers.rows:
        of = f"of constraint {row.name!r}"
        parts |= {f"G {of}": row.G, f"g0 {of}": row.g0, f"the residual {of}": np.append(row.position, row.velocity)}
        parts |= {f"a drive {of}": row.E}
    bad = [term for term, values in parts.items() if not np.all(np.isfinite(values))]
    if bad:
        raise LienketError(
            f"At this state (t = {numbers.t:g}, q = {numbers.q.tolist()}) {', '.join(bad)} is not finite: "
            "a formula divides by zero or leaves its domain there."
        )
    return numbers
