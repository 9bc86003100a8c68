"""Audit of a run: residuals of its constraints, energy balance, conditioning, events and statistics."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..foundation.frozen_dataclass import dataclass
from ..kernels.elimination.householder import orthonormal_basis
from ..simulation.events.history import NO_EVENT
from ..simulation.run.result import Phase, RankEvent, Run, Statistics
from ..simulation.start.start import GIVEN
from .activity import activity
from .row_values import RowValues
from .work import energy_gains, work_by_constraint

Array = Any

WARNING_FACTOR = 100.0  # [tolerances] residual or energy imbalance of a run beyond which the audit warns
FIXED_STEP_IMBALANCE = 1e-2  # [1] energy imbalance, relative to the energies, allowed in a run with fixed steps
ENERGY_ROUNDING = 1e-12  # [1] energy imbalance or loss, relative to the energies, that counts as rounding
POTENTIAL_ROUNDING = 1e-13  # [1] energy imbalance, relative to the potential energy, that counts as rounding
SINGULAR_VALUE_TOLERANCE = 1e-7  # [1] singular value of G, relative to the largest, below which rows are dependent
START_NUMBERS = 6  # [numbers] of a start listed
CONDITIONING_ROWS = 25  # [rows] rows of a run at which the conditioning is computed
LEVELS = ("position", "velocity", "acceleration")


@dataclass(frozen=True, eq=False)
class RunAudit:
    """Residuals, energy balance and warnings of a run, read as `Trajectory.audit`.

    Attributes
    ----------
    residuals : dict of str to dict of str to float
        Largest residual of each constraint over the rows, by level: residuals["position"]["rod"].
    imbalance : float
        Largest |E - E(0) - W| over the rows, with E = T2 - T0 + V and W the work of all other forces.
    energy : float
        Size of the energies, to which `imbalance` is compared.
    moved : float
        Largest correction of a state by projection, relative to its tolerances.
    warnings : tuple of str
        Sentences on residuals, energy or laws that are not as they should be.
    acting : tuple of str
        One line for each contact, drive and program with feedback: its modes, range or error.

    Examples
    --------
    >>> crank = lk.load("examples/models/slider_crank.toml")
    >>> audit = crank.simulate(start={"phi": 0.5}, until=0.1).audit
    >>> audit.ok, audit.warnings
    (True, ())
    >>> audit.residuals["position"]["guide"] < 1e-12
    True
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
        """Whether there are no warnings."""
        return not self.warnings

    @property
    def rank_events(self) -> tuple[RankEvent, ...]:
        """Time intervals in which constraints were dependent, or nearly so."""
        return self.run.rank_events

    @property
    def phases(self) -> tuple[Phase, ...]:
        """Parts of the run by integration method: .method, .begin, .end, .steps."""
        return self.run.phases

    @property
    def statistics(self) -> Statistics:
        """Number of steps, rejected steps, evaluations and factorizations, and the seconds taken."""
        return self.run.statistics

    @cached_property
    def work(self) -> dict[str, float]:
        """Work of each law, and of the drives of each program, over the run, by name."""
        model = self.run.problem.model
        names = {c.name for c in (*model.constraints, *model.followed) if c.has_law or c.drives}
        if not names or self.run.phases[-1].method == "ida":
            return {}
        work = work_by_constraint(RowValues(self.run))
        return {name: float(total[-1]) for name, total in work.items() if name in names}

    @cached_property
    def conditioning(self) -> float:
        """Largest condition number of D^T A D over a sample of the rows.

        D is orthonormal, with the coordinates scaled by A.
        """
        run, worst = self.run, 1.0
        for k in np.unique(np.linspace(0, len(run.t) - 1, CONDITIONING_ROWS).astype(int)):
            problem = run.problem if run.history is None else run.history.problem(int(run.history.part[k]))
            terms, inputs = problem.model.function("terms"), np.zeros(problem.model.inputs)
            _, out = terms(float(run.t[k]), run.q[k].copy(), run.v[k].copy(), problem.parameters, inputs)
            A, _, G, _ = terms.parts(out)
            worst = max(worst, _condition(A, G))
        return worst

    def text(self) -> str:
        """Return the audit in plain text.

        Returns
        -------
        str
            Table of the residuals of each constraint, then one line per fact, then the warnings.
        """
        lines = [f"{'':24}{'position':>12}{'velocity':>12}{'acceleration':>14}"]
        for name in self.residuals["acceleration"]:
            cells = [self.residuals[level].get(name) for level in LEVELS]
            shown = ["" if x is None else "-" if np.isnan(x) else f"{x:.1e}" for x in cells]  # "-": it never acted
            lines.append(f"{name:24.24}{shown[0]:>12}{shown[1]:>12}{shown[2]:>14}")
        head = lines if len(lines) > 1 else ["There are no constraints."]
        statistics = self.statistics
        tail = [
            *_start(self.run),
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


def _start(run: Run) -> list[str]:
    """Return the line on the numbers of the start that were not given, if it is known how it was stated."""
    if run.start is None or run.start.stated is None:
        return []
    chosen = [name for name, origin in run.start.origins.items() if origin != GIVEN]
    listed = [f"{name} = {run.start[name]:.6g}" for name in chosen[:START_NUMBERS]]
    more = [f"{len(chosen) - START_NUMBERS} more"] if len(chosen) > START_NUMBERS else []
    return [f"start                    {', '.join([*listed, *more])} not given, made consistent"] if chosen else []


def _switching(run: Run, energy: float) -> list[str]:
    """Return the line on events, if the run could have any."""
    if run.history is None:
        return []
    history = run.history
    lost, changes = float(np.sum(history.lost)), int(np.sum(history.event != NO_EVENT))
    lost = lost if abs(lost) > ENERGY_ROUNDING * energy else 0.0
    lines = []
    if history.events:
        events = f"{len(history.happened)}, {changes} changes of the system, {lost:.6g} of energy lost in impacts"
        lines.append(f"events                   {events}")
    samples = len(history.t) - changes
    return [*lines, f"samples of inputs        {samples}"] if samples > 1 else lines


def audit(numbers: RowValues) -> RunAudit:
    """Return the audit of the rows of a run."""
    run = numbers.run
    residuals = {
        level: {name: _largest(values) for name, values in by_name.items()}
        for level, by_name in numbers.residuals.items()
    }
    energy = numbers.energy
    with np.errstate(all="ignore"):  # overflow in runs that diverge
        imbalance = float(np.max(np.abs(energy.imbalance)))
        size = float(np.max(np.abs(energy.kinetic)) + np.ptp(energy.potential) + np.max(np.abs(energy.work)))
        rounding = POTENTIAL_ROUNDING * float(np.max(np.abs(energy.potential)))  # matters for a system at rest
    of_energy = _energy_warnings(run, imbalance, size, rounding)
    warnings = (*_residual_warnings(run, residuals), *of_energy, *_gain_warnings(numbers))
    return RunAudit(run, residuals, imbalance, size, run.worst[0], warnings, tuple(activity(numbers)))


def _gain_warnings(numbers: RowValues) -> list[str]:
    """Return a warning for each law that supplies energy although it must dissipate it."""
    return [
        f"The law of {name!r} supplies energy, with a power of up to {power:.2g}, but must dissipate it: q'^T r <= 0. "
        "Check the signs of its coefficient and of its slip."
        for name, power in energy_gains(numbers).items()
    ]


def _largest(values: Array) -> float:
    """Return the largest value over the rows at which a constraint acts; NaN if it never acts."""
    acting = values[~np.isnan(values)] if np.isnan(values).any() and not np.isnan(values).all() else values
    return float(np.max(acting))


def _residual_warnings(run: Run, residuals: dict[str, dict[str, float]]) -> list[str]:
    """Return a warning for each constraint whose residual exceeds WARNING_FACTOR tolerances."""
    n, settings = run.problem.n, run.settings
    warnings, inactive = [], _never_active(run)
    for level, values, atol in (("position", run.q, settings.atol[:n]), ("velocity", run.v, settings.atol[n:])):
        allowed = WARNING_FACTOR * (float(np.max(atol)) + settings.rtol * float(np.max(np.abs(values), initial=0.0)))
        for name, residual in residuals[level].items():
            if not residual <= allowed and name not in inactive:
                warnings.append(f"The constraint {name!r} is violated: its {level} residual reaches {residual:.2g}.")
    return warnings


def _never_active(run: Run) -> set[str]:
    """Return the names of the constraints that act at none of the rows."""
    if run.history is None:
        return set()
    acting = {name for part in np.unique(run.history.part) for name in run.history.names(int(part))}
    return set(run.history.constraints) - acting


def _energy_warnings(run: Run, imbalance: float, size: float, rounding: float) -> list[str]:
    """Return a warning if the energy imbalance exceeds the tolerances."""
    settings = run.settings
    by_tolerances = WARNING_FACTOR * (settings.rtol + float(np.max(settings.atol)))
    relative = FIXED_STEP_IMBALANCE if settings.step > 0 else by_tolerances
    if imbalance <= relative * size + ENERGY_ROUNDING * size + rounding:
        return []
    if not np.isfinite(imbalance):
        return ["The energy is not finite: the motion is unbounded, or the steps are too long."]
    return [
        f"The energy balance is off by {imbalance:.2g} of {size:.2g}, more than the tolerances allow: "
        "the run is less accurate than requested. Reduce `rtol` and `atol`, or a fixed `step`, and compare."
    ]


def _condition(A: Array, G: Array) -> float:
    """Return the condition number of D^T A D, coordinates with positive inertia scaled to unit inertia."""
    diagonal = np.diag(A)
    scale = np.where(diagonal > 0, 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0)), 1.0)
    rows = G * scale
    if len(rows):
        _, sizes, V = np.linalg.svd(rows)
        D = V[int(np.sum(sizes > SINGULAR_VALUE_TOLERANCE * sizes[0])) :].T
    else:
        D = orthonormal_basis(rows, len(A))
    if D.shape[1] == 0:
        return 1.0
    values = np.linalg.eigvalsh(D.T @ (A * np.outer(scale, scale)) @ D)
    return float(values[-1] / values[0]) if values[0] > 0 else float("inf")
