"""The work of each constraint by name: what its reaction, its law or its drives have done since the start.

    W_j(t) = integral of v^T r_j,    r_j = G_j^T lambda_j + c_j,  or E u

Between rows the motion is made again and the power integrated by Gauss' formula, in each part of a run whose structure
changed by itself. Impacts are no part of it; the energy that they take is that of the switches.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from ..model.laws import Coulomb, Viscous
from ..simulation.run.resample import resample
from ..simulation.run.result import Run
from .row_values import RowValues

Array = Any

NODES, WEIGHTS = np.polynomial.legendre.leggauss(6)
AGAINST = 1e-9
"""The power that rounding may make a law give, as a share of its forces and velocities."""


def work_by_constraint(numbers: RowValues) -> dict[str, Array]:
    """The work of each constraint by name (N each), 0 for one that is ideal and at rest."""
    run = numbers.run
    t = run.t
    if len(t) < 2:
        return {name: np.zeros(len(t)) for name in numbers.reactions}
    middle, half = 0.5 * (t[1:] + t[:-1]), 0.5 * np.diff(t)
    times = (middle[:, None] + half[:, None] * NODES).reshape(-1)
    going = np.repeat(half > 0, len(NODES))
    found = powers(_along(run, times[going]))
    total: dict[str, Array] = {}
    for name, power in found.items():
        spread = np.zeros(len(times))
        spread[going] = np.nan_to_num(power)
        total[name] = np.concatenate([[0.0], np.cumsum(half * (spread.reshape(-1, len(NODES)) @ WEIGHTS))])
    return total


def powers(numbers: RowValues) -> dict[str, Array]:
    """v^T r of each constraint along the rows (N each); NaN while it does not act."""
    return {name: np.einsum("ti,ti->t", r, numbers.run.v) for name, r in numbers.reactions.items()}


def energy_gains(numbers: RowValues) -> dict[str, float]:
    """Laws that give energy where they must take it: the largest power of each, by name (theory 9: q'^T r <= 0).

    Friction against what moves by itself may give energy, so only laws at rest with their surroundings are looked at.
    """
    model, history, found = numbers.run.problem.model, numbers.run.history, {}
    lasting = slice(None) if history is None else history.lasting[history.part]
    lossy = {c.name for c in model.constraints if isinstance(c.law, Coulomb | Viscous) and not _carried(c)}
    for name in lossy:
        forces, v = np.nan_to_num(numbers.reactions[name])[lasting], numbers.run.v[lasting]
        sizes = np.einsum("ti,ti->t", np.abs(forces), np.abs(v))
        most = float(np.max(np.einsum("ti,ti->t", forces, v), initial=0.0))
        if most > AGAINST * float(np.max(sizes, initial=0.0)):
            found[name] = most
    return found


def _carried(constraint: Any) -> bool:
    """Whether what a contact slides on, or its own surface, moves by itself."""
    slip = constraint.law.slip
    rest = slip.xreplace(dict.fromkeys(slip.atoms(sp.Derivative), sp.S.Zero))
    return constraint.rheonomic or rest != 0


def _along(run: Run, times: Array) -> RowValues:
    """The run with rows at other times."""
    q, v, work = resample(run, times)
    history = run.history
    if history is not None:
        history = replace(history, part=np.array([history.at(t) for t in times]))
    return RowValues(replace(run, t=times, q=q, v=v, work=work, steps=np.zeros(len(times)), history=history))
