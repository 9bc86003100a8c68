"""From the numbers of a system to its State: the constraints are taken in one after another.

Constraints that are nonlinear in q'' are linearised at an iterate and solved by Newton's method, beginning with the
accelerations that the other constraints allow (theory 3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ..compiled.state_numbers import Evaluator, StateNumbers, with_rows
from ..elimination.verdict import Verdict
from ..errors import LienketError
from .elimination.chain import RANK_TOLERANCE, NumericChain, constrain, free_chain, refined
from .elimination.metric import Array
from .state import State

NEWTON_STEPS = 60
HALVINGS = 30
CONVERGED = 1e-12  # a last step, as a share of the accelerations
NEAR = 0.1  # a residual, as a share of its terms, that a step may leave
SOLVED = 1e-12  # a residual that is none
NEARLY = 1e-10  # what is left of it where steps can no longer improve it


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
    """The state at t, q (n), v (n) with the given numbers of the parameters; see State."""
    numbers = _finite(evaluator(t, q, v, parameters))
    if evaluator.nonlinear:
        _refuse_programs(evaluator, numbers)
        numbers = _newton(evaluator, numbers, parameters, tolerance)
    return State(names, numbers, eliminate(numbers, tolerance), judge, without, modes)


def eliminate(numbers: StateNumbers, tolerance: float = RANK_TOLERANCE) -> NumericChain:
    """The chain of all constraints that are not programs, in order."""
    chain = free_chain(numbers.A, numbers.h, numbers.G, tolerance, numbers.inertias)
    for row in numbers.rows:
        if not row.program:
            chain = constrain(chain, row.name, row.G, row.g0)
    return refined(chain)


def _newton(evaluator: Evaluator, numbers: StateNumbers, parameters: Array, tolerance: float) -> StateNumbers:
    """The numbers with G and g0 taken at the accelerations that solve the equations."""

    def at(a: Array) -> StateNumbers:
        return evaluator(numbers.t, numbers.q, numbers.v, parameters, a)

    chain = eliminate(with_rows(numbers, [r for r in numbers.rows if r.name not in evaluator.nonlinear]), tolerance)
    a = start = chain.a * chain.metric.scale
    here = _finite(at(a))
    if any(not np.any(row.G) for row in here.rows if row.name in evaluator.nonlinear):
        # Nothing to hold on to, as for x''^2 = 4 where x'' = 0: begin beside it.
        a = start + (1 + np.max(np.abs(start), initial=0.0)) * (1 + 0.1 * np.arange(len(start)))
        here = _finite(at(a))
    first = _terms(here, a)  # the sizes at the start count too: near a solution the terms themselves may all be small
    for _ in range(NEWTON_STEPS):
        scales = {name: np.maximum(sizes, first[name]) for name, sizes in _terms(here, a).items()}
        chain = eliminate(here, tolerance)
        step = chain.a * chain.metric.scale - a
        largest = np.max(np.maximum(np.abs(a), np.abs(start)), initial=0.0)
        misfit = _misfit(here, a, scales)
        if np.all(np.abs(step) <= CONVERGED * largest) and misfit <= SOLVED:
            return _finite(at(a + step))
        a, here = _damped_step(at, a, step, misfit, scales)
    if _misfit(here, a, scales) <= NEARLY and np.all(np.abs(step) <= NEARLY * largest):
        return here
    misfits = {name: _misfit(here, a, {name: scales[name]}) for name in evaluator.nonlinear}
    worst = max(misfits, key=misfits.__getitem__)
    raise LienketError(
        f"No acceleration was found that satisfies {worst!r}, which is nonlinear in the accelerations: after "
        f"{NEWTON_STEPS} Newton steps its residual is still {misfits[worst]:.2g} of its terms. "
        "Check that it can be satisfied at this state, or state it linearly."
    )


def _damped_step(
    at: Callable[[Array], StateNumbers], a: Array, step: Array, misfit: float, scales: Mapping[str, Array]
) -> tuple[Array, StateNumbers]:
    """The step, halved until the residual becomes smaller or is small.

    Near the constraint a step goes along it, to where r = G^T lambda holds as well, and leaves it a little.
    """
    for halving in range(HALVINGS):
        tried = a + step * 0.5**halving
        numbers = at(tried)
        if _misfit(numbers, tried, scales) <= max(misfit * (1 - 1e-4 * 0.5**halving), NEAR):
            break
    return tried, numbers


def _terms(numbers: StateNumbers, a: Array) -> dict[str, Array]:
    """The sizes of the terms of G a + g0, by constraint."""
    return {row.name: np.abs(row.G) @ np.abs(a) + row.sizes[2] for row in numbers.rows}


def _misfit(numbers: StateNumbers, a: Array, scales: Mapping[str, Array]) -> float:
    """The largest |G a + g0| as a share of the scales."""
    worst = 0.0
    for row in numbers.rows:
        if row.name in scales:
            sizes = np.where(scales[row.name] > 0, scales[row.name], 1.0)
            worst = max(worst, float(np.max(np.abs(row.G @ a + row.g0) / sizes)))
    return worst


def _refuse_programs(evaluator: Evaluator, numbers: StateNumbers) -> None:
    programs = [row.name for row in numbers.rows if row.drives]
    if programs:
        raise LienketError(
            f"The program {programs[0]!r} cannot be solved together with {evaluator.nonlinear[0]!r}, which is "
            "nonlinear in the accelerations. State one of them in another way."
        )


def _finite(numbers: StateNumbers) -> StateNumbers:
    """The numbers, or an error that says what is not finite at this state."""
    parts = {"the inertia matrix A": numbers.A, "the right side h": numbers.h}
    for row in numbers.rows:
        of = f"of constraint {row.name!r}"
        parts |= {f"G {of}": row.G, f"g0 {of}": row.g0, f"the residual {of}": np.append(row.position, row.velocity)}
        parts |= {f"a drive {of}": row.E}
    bad = [what for what, values in parts.items() if not np.all(np.isfinite(values))]
    if bad:
        raise LienketError(
            f"At this state (t = {numbers.t:g}, q = {numbers.q.tolist()}) {', '.join(bad)} is not finite: "
            "a formula divides by zero or leaves its domain there."
        )
    return numbers
