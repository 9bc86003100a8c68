"""The audit of a run: how well its rows satisfy every law, and what happened on the way."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..foundation.frozen_dataclass import dataclass
from ..kernels.elimination.householder import orthonormal_basis
from ..simulation.run.result import Phase, RankEvent, Run, Statistics
from .activity import activity
from .row_values import RowValues
from .work import energy_gains, work_by_constraint

Array = Any

GOOD = 100.0
"""Residuals and imbalance of the energy may be so many times what the tolerances allow for one step."""
FIXED_ENERGY = 1e-2
"""The imbalance that a run with fixed steps may have, as a share of the energies."""
ROUNDING = 1e-13
"""The imbalance that is rounding, as a share of the potential energy."""
LOOKED_AT = 25  # rows at which the conditioning is looked at
LEVELS = ("position", "velocity", "acceleration")
PLURALS = {"position": "positions", "velocity": "velocities"}


@dataclass(frozen=True, eq=False)
class RunAudit:
    """What an audit found.

    residuals  the largest residual of each constraint over the rows, by level: {"position": {"rod": 1e-16}, ...}
    imbalance  the largest |E - E(0) - W| over the rows, E = T2 - T0 + V and W the work of everything else
    energy     the size of the energies that it is a part of
    moved      how far projection moved a state at most, in units of its tolerances
    warnings   what is not good, as sentences
    acting     what each contact and each drive did, a line each
    """

    run: Run
    residuals: dict[str, dict[str, float]]
    imbalance: float
    energy: float
    moved: float
    warnings: tuple[str, ...]
    acting: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is to be complained about."""
        return not self.warnings

    @property
    def rank_events(self) -> tuple[RankEvent, ...]:
        """When constraints were dependent, or nearly so."""
        return self.run.rank_events

    @property
    def phases(self) -> tuple[Phase, ...]:
        """Which method ran when."""
        return self.run.phases

    @property
    def statistics(self) -> Statistics:
        """What the run took."""
        return self.run.statistics

    @cached_property
    def work(self) -> dict[str, float]:
        """The work that each law, and the drives of each program, have done in the run, by name."""
        model = self.run.problem.model
        told = {c.name for c in (*model.constraints, *model.followed) if c.law is not None or c.drives}
        if not told or self.run.phases[-1].method == "ida":
            return {}
        return {name: float(done[-1]) for name, done in work_by_constraint(RowValues(self.run)).items() if name in told}

    @cached_property
    def conditioning(self) -> float:
        """The largest condition number of D^T A D over some of the rows, D orthonormal, coordinates scaled by A."""
        run, worst = self.run, 1.0
        for k in np.unique(np.linspace(0, len(run.t) - 1, LOOKED_AT).astype(int)):
            problem = run.problem if run.history is None else run.history.problem(int(run.history.part[k]))
            terms, inputs = problem.model.function("terms"), np.zeros(problem.model.inputs)
            _, out = terms(float(run.t[k]), run.q[k].copy(), run.v[k].copy(), problem.parameters, inputs)
            A, _, G, _ = terms.parts(out)
            worst = max(worst, _condition(A, G))
        return worst

    def text(self) -> str:
        """A table of a few lines."""
        lines = [f"{'':24}{'position':>12}{'velocity':>12}{'acceleration':>14}"]
        for name in self.residuals["acceleration"]:
            cells = [self.residuals[level].get(name) for level in LEVELS]
            shown = ["" if x is None else "-" if np.isnan(x) else f"{x:.1e}" for x in cells]  # "-": it never acted
            lines.append(f"{name:24.24}{shown[0]:>12}{shown[1]:>12}{shown[2]:>14}")
        head = lines if len(lines) > 1 else ["There are no constraints."]
        statistics = self.statistics
        tail = [
            f"energy balance           {self.imbalance:.1e} of {self.energy:.3g}",
            f"condition of D^T A D     {self.conditioning:.2g}",
            f"singular positions       {len(self.rank_events)}, {statistics.bridges} stepped over",
            *_switching(self.run, self.energy),
            *self.acting,
            *(f"{f'work of {name}'[:24]:25}{total:.6g}" for name, total in self.work.items()),
            *(f"{p.method:24} t = {p.begin:.6g} to {p.end:.6g}, {p.steps} steps" for p in self.phases),
            f"evaluations              {statistics.evaluations}, {statistics.rejected} steps rejected, "
            f"{statistics.seconds:.3g} s",
        ]
        return "\n".join([*head, *tail, *self.warnings])

    __str__ = text


def _switching(run: Run, energy: float) -> list[str]:
    """A line on what happened, if anything could."""
    if run.history is None:
        return []
    lost, changes = float(np.sum(run.history.lost)), len(run.history.t) - 1
    lost = lost if abs(lost) > 1e-12 * energy else 0.0  # less is rounding
    return [
        f"events                   {len(run.history.happened)}, {changes} changes of the system, "
        f"{lost:.6g} of energy lost in impacts"
    ]


def audit(numbers: RowValues) -> RunAudit:
    """The audit of the rows of a run."""
    run = numbers.run
    residuals = {
        level: {name: _largest(found) for name, found in by_name.items()}
        for level, by_name in numbers.residuals.items()
    }
    energy = numbers.energy
    with np.errstate(all="ignore"):  # of runs that blew up
        imbalance = float(np.max(np.abs(energy.imbalance)))
        size = float(np.max(np.abs(energy.kinetic)) + np.ptp(energy.potential) + np.max(np.abs(energy.work)))
        rounding = ROUNDING * float(np.max(np.abs(energy.potential)))  # of a system at rest there is nothing else
    off = _energy_warnings(run, imbalance, size, rounding)
    warnings = (*_residual_warnings(run, residuals), *off, *_giving(numbers))
    return RunAudit(run, residuals, imbalance, size, run.worst[0], warnings, tuple(activity(numbers)))


def _giving(numbers: RowValues) -> list[str]:
    """Laws that give energy where they must take it."""
    return [
        f"The law of {name!r} gives energy, up to {power:.2g} in a unit of time, where it must take it: q'^T r <= 0."
        for name, power in energy_gains(numbers).items()
    ]


def _largest(found: Array) -> float:
    """Over the rows at which a constraint acts."""
    acting = found[~np.isnan(found)] if np.isnan(found).any() and not np.isnan(found).all() else found
    return float(np.max(acting))


def _residual_warnings(run: Run, residuals: dict[str, dict[str, float]]) -> list[str]:
    """Constraints that are not kept, measured by the tolerances of positions and velocities."""
    n, settings = run.problem.n, run.settings
    found, away = [], _away(run)
    for level, values, atol in (("position", run.q, settings.atol[:n]), ("velocity", run.v, settings.atol[n:])):
        allowed = GOOD * (float(np.max(atol)) + settings.rtol * float(np.max(np.abs(values), initial=0.0)))
        for name, residual in residuals[level].items():
            if not residual <= allowed and name not in away:
                found.append(f"The constraint {name!r} is off by {residual:.2g} in its {PLURALS[level]}.")
    return found


def _away(run: Run) -> set[str]:
    """Constraints that act at none of the rows."""
    if run.history is None:
        return set()
    acting = {name for part in np.unique(run.history.part) for name in run.history.names(int(part))}
    return set(run.history.constraints) - acting


def _energy_warnings(run: Run, imbalance: float, size: float, rounding: float) -> list[str]:
    settings = run.settings
    share = FIXED_ENERGY if settings.step > 0 else GOOD * (settings.rtol + float(np.max(settings.atol)))
    if imbalance <= share * size + 1e-12 * size + rounding:
        return []
    if not np.isfinite(imbalance):
        return ["The energy is not finite: the motion has no bounds, or the steps are too long."]
    return [
        f"The energy is off by {imbalance:.2g} of {size:.2g}, more than the tolerances explain: "
        "the run is less accurate than they ask. Make them smaller and compare."
    ]


def _condition(A: Array, G: Array) -> float:
    """The condition number of D^T A D with coordinates scaled to unit inertia, where that is positive."""
    diagonal = np.diag(A)
    scale = np.where(diagonal > 0, 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0)), 1.0)
    rows = G * scale
    if len(rows):
        _, sizes, V = np.linalg.svd(rows)
        D = V[int(np.sum(sizes > 1e-7 * sizes[0])) :].T
    else:
        D = orthonormal_basis(rows, len(A))
    if D.shape[1] == 0:
        return 1.0
    values = np.linalg.eigvalsh(D.T @ (A * np.outer(scale, scale)) @ D)
    return float(values[-1] / values[0]) if values[0] > 0 else float("inf")
