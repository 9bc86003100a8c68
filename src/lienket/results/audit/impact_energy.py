"""Energy of the impacts of a run, and the laws by which they were solved.

    supplied = Lambda^T (y- + y+)/2

With the impulses Lambda of the rows of contacts and the velocities y of these rows before and after, this is the change
of T2, less the work of contacts that move (theory 15). It is computed from the velocities and impulses recorded, not
from what the solution of the impact reported.
"""

from __future__ import annotations

import numpy as np

from ...compiled.constraint_facts import SCALED
from ...foundation.arrays import Array
from ...kernels.audit_limits import IMPACT_ENERGY_ROUNDING
from ...simulation.events.history import WHY, History
from ...simulation.run.result import Run


def supplied_energies(run: Run) -> Array:
    """Return the energy that the impact at the start of each part supplies (P), 0 without impact or by rounding."""
    history = run.history
    supplied = np.zeros(0 if history is None else len(history.t))
    parts = [] if history is None else [k for k, struck in enumerate(history.struck) if struck]
    if history is None or not parts:
        return supplied
    n, model = run.problem.n, run.problem.model
    surface, inputs = model.function("surface"), np.zeros(model.inputs)
    for k in parts:
        rows = [model.rows[history.constraints[j]].start for j, _ in history.struck[k]]
        state = (float(history.t[k]), history.y[k, :n].copy())
        impulses = np.array([x for _, x in history.struck[k]]) / _normal_factors(run, k, rows)
        before, after = (
            surface.parts(surface(*state, v.copy(), history.parameters[k].copy(), inputs)[1])[3][rows]
            for v in (history.v_before[k], history.y[k, n : 2 * n])
        )
        energy = 0.5 * float(impulses @ (before + after))
        terms = 0.5 * float(np.abs(impulses) @ (np.abs(before) + np.abs(after)))
        supplied[k] = energy if abs(energy) > IMPACT_ENERGY_ROUNDING * terms else 0.0
    return supplied


def _normal_factors(run: Run, part: int, rows: list[int]) -> Array:
    """Return the normal force per multiplier of each row; impulses are recorded as those of the normal force."""
    history, n, model = run.history, run.problem.n, run.problem.model
    if history is None or not any(c.contact is not None and c.contact.normal == SCALED for c in model.constraints):
        return np.ones(len(rows))
    function, y = model.function("normal_factors"), history.y[part]
    state = (float(history.t[part]), y[:n].copy(), y[n : 2 * n].copy(), history.parameters[part].copy())
    factors, _ = function.parts(function(*state, np.zeros(model.inputs))[1])
    owner = {model.rows[c.name].start: k for k, c in enumerate(model.constraints)}
    return np.array([factors[owner[row]] for row in rows])


def impact_facts(run: Run) -> list[tuple[str, str]]:
    """Return a line for each law in place of that stated by which impacts were solved."""
    history, facts = run.history, []
    if history is None:
        return []
    for law, why in WHY.items():
        solved = [k for k, used in enumerate(history.laws) if used == law]
        if solved:
            more = ", ..." if len(solved) > 1 else ""
            facts.append(("impacts", f"{len(solved)} by {why}: {_event(history, solved[0])}{more}"))
    return facts


def impact_warnings(run: Run) -> list[str]:
    """Return a warning if impacts supply energy."""
    history = run.history
    if history is None:
        return []
    supplied = supplied_energies(run)
    raising = np.flatnonzero(supplied > 0)
    if not raising.size:
        return []
    worst = int(np.argmax(supplied))
    names = ", ".join(repr(history.constraints[j]) for j, x in history.struck[worst] if x != 0)
    others = f", and {raising.size - 1} other impacts less" if raising.size > 1 else ""
    return [
        f"The impact {_event(history, worst)} supplies energy, {supplied[worst]:.3g}{others}: with friction the laws "
        f"of impact do not exclude it. Its impulses are at {names}. Make their restitutions equal, or smaller, or use "
        "impact = 'poisson'."
    ]


def _event(history: History, part: int) -> str:
    """Return the name and the time of the event with which a part starts."""
    return f"{history.events[int(history.event[part])]!r} at t = {history.t[part]:.9g}"
