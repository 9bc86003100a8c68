"""Work of each constraint since the start, of its reaction, its law or its drives, and of each input in forces.

    W_j(t) = integral of v^T r_j,    r_j = G_j^T lambda_j + c_j,  E u,  or Q - Q at F = 0

Between two rows the motion is computed again and the power integrated by Gauss' formula, separately for each part of a
run between events. Impacts are not included; the history of the run has the energy that they dissipate.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..foundation.arrays import Array
from ..kernels.audit_limits import POWER_ROUNDING, SUPPLIED_POWER_LIMIT
from ..language.names import POWER_OF
from ..simulation.run.resample import resample
from ..simulation.run.result import Run
from .row_values import RowValues

NODES, WEIGHTS = np.polynomial.legendre.leggauss(6)


def work_by_constraint(numbers: RowValues) -> dict[str, Array]:
    """Return the work of each constraint and input by name (N each), 0 for an ideal constraint without time."""
    run = numbers.run
    t = run.t
    if len(t) < 2:
        return {name: np.zeros(len(t)) for name in powers(numbers)}
    middle, half = 0.5 * (t[1:] + t[:-1]), 0.5 * np.diff(t)
    times = (middle[:, None] + half[:, None] * NODES).reshape(-1)
    inside = np.repeat(half > 0, len(NODES))  # not between two rows at the time of one event
    power_by_name = powers(_resampled(run, times[inside]))
    total: dict[str, Array] = {}
    for name, power in power_by_name.items():
        values = np.zeros(len(times))
        values[inside] = np.nan_to_num(power)
        total[name] = np.concatenate([[0.0], np.cumsum(half * (values.reshape(-1, len(NODES)) @ WEIGHTS))])
    return total


def powers(numbers: RowValues) -> dict[str, Array]:
    """Return the power v^T r of each constraint along the rows (N each), NaN while it does not act; then of inputs."""
    of_constraints = {name: np.einsum("ti,ti->t", r, numbers.run.v) for name, r in numbers.reactions.items()}
    inputs = {name.removeprefix(POWER_OF): P for name, P in numbers.outputs.items() if name.startswith(POWER_OF)}
    return of_constraints | inputs


def energy_gains(numbers: RowValues) -> dict[str, float]:
    """Return the largest power of each law that violates q'^T r <= 0 (theory 9), by name.

    Friction against a moving body, a belt for instance, may supply energy; only laws without prescribed motion are
    checked. Velocities are known to their tolerances: power up to |r| times these is none. Contacts that share a load
    have forces that are not unique; only the sum of their powers is.
    """
    model, history, gains = numbers.run.problem.model, numbers.run.history, {}
    atol = numbers.run.settings.atol[numbers.run.problem.n :]
    lasting = slice(None) if history is None else history.lasting[history.part]
    names, v = [c.name for c in model.constraints if c.loses_energy], numbers.run.v[lasting]
    if not names:
        return {}
    shared, power, unknown = numbers.redundant[lasting], {}, {}
    for name in names:
        forces = np.nan_to_num(numbers.reactions[name])[lasting]
        sizes = np.einsum("ti,ti->t", np.abs(forces), np.abs(v))
        power[name] = np.einsum("ti,ti->t", forces, v)
        unknown[name] = SUPPLIED_POWER_LIMIT * (np.abs(forces) @ atol) + POWER_ROUNDING * np.max(sizes, initial=0.0)
    together, limit = sum(power.values()), sum(unknown.values())
    for name in names:
        supplied = np.where(shared, together, power[name])
        if np.any(supplied > np.where(shared, limit, unknown[name])):
            gains[name] = float(np.max(supplied))
    return gains


def _resampled(run: Run, times: Array) -> RowValues:
    """Return the values of the run at other times."""
    q, v, work = resample(run, times)
    history = run.history
    if history is not None:
        history = replace(history, part=np.array([history.at(t) for t in times]))
    return RowValues(replace(run, t=times, q=q, v=v, work=work, steps=np.zeros(len(times)), history=history))
