"""Energy of the impacts of a run, and the laws by which they were solved.

    supplied = Lambda^T (y- + y+)/2

With the impulses Lambda of the rows of contacts and the velocities y of these rows before and after, this is the change
of T2, less the work of contacts that move (theory 15). It is computed from the velocities and impulses recorded, not
from what the solution of the impact reported.
"""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array
from ...kernels.audit_limits import IMPACT_ENERGY_ROUNDING
from ...simulation.events.history import INSTEAD, History
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
        impulses = np.array([x for _, x in history.struck[k]])
        state = (float(history.t[k]), history.y[k, :n].copy())
        before, after = (
            surface.parts(surface(*state, v.copy(), history.parameters[k].copy(), inputs)[1])[3][rows]
            for v in (history.v_before[k], history.y[k, n : 2 * n])
        )
        energy = 0.5 * float(impulses @ (before + after))
        terms = 0.5 * float(np.abs(impulses) @ (np.abs(before) + np.abs(after)))
        supplied[k] = energy if abs(energy) > IMPACT_ENERGY_ROUNDING * terms else 0.0
    return supplied


def impact_facts(run: Run) -> list[tuple[str, str]]:
    """Return the line on impacts that were solved by Poisson's law in place of Newton's, if there are any."""
    history = run.history
    replaced = [] if history is None else [k for k, law in enumerate(history.laws) if law == INSTEAD]
    if history is None or not replaced:
        return []
    many = f"{len(replaced)} by Poisson's law, since no impulses obey Newton's without raising the energy"
    return [("impacts", f"{many}: {_event(history, replaced[0])}{', ...' if len(replaced) > 1 else ''}")]


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
