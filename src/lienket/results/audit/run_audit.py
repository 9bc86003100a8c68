"""Audit of a run: residuals of its constraints, energy balance, conditioning, events and statistics."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property

import numpy as np

from ...foundation.arrays import Array
from ...foundation.assessment import Assessment, table
from ...foundation.frozen_dataclass import dataclass
from ...kernels.audit_limits import ENERGY_ROUNDING, POTENTIAL_ROUNDING
from ...kernels.elimination.householder import orthonormal_basis
from ...kernels.normal_force_note import normal_force_notes
from ...kernels.rounding_residuals import LEVELS
from ...simulation.events.history import NO_EVENT
from ...simulation.run.result import Phase, RankEvent, Run, Statistics
from ...simulation.start.start import GIVEN
from ..row_values import RowValues
from ..work import work_by_constraint
from .activity import activity
from .audit_rows import sample_rows
from .clock import clock_facts, clock_of, clock_warnings
from .impact_energy import impact_facts, impact_warnings
from .needed_changes import needed_changes
from .run_warnings import energy_warnings, event_warnings, gain_warnings, residual_warnings
from .shared_load_note import shared_load_notes

SINGULAR_VALUE_TOLERANCE = 1e-7  # [1] singular value of G, relative to the largest, below which rows are dependent
START_NUMBERS = 6  # [numbers] of a start listed
NAME_WIDTH = 24  # [characters] least width of the first column


@dataclass(frozen=True)
class RunAudit(Assessment):
    """Residuals, energy balance and warnings of a run, read as `Trajectory.audit`.

    Attributes
    ----------
    residuals : dict of str to dict of str to float
        Largest residual of each constraint over the rows, as it is written, by level: residuals["position"]["rod"].
    needed : dict of str to dict of str to float
        Largest change that each constraint needs, by level and name: of positions and velocities in tolerances, of
        accelerations relative to them. It does not depend on how the constraint is written.
    imbalance : float
        Largest |E - E(0) - W| over the rows, with E = T2 - T0 + V and W the work of all other forces.
    energy : float
        Size of the energies, to which `imbalance` is compared.
    moved : float
        Largest correction of a state by projection, relative to its tolerances.
    warnings : tuple of str
        Sentences on residuals, energy or laws that are not as they should be.
    acting : tuple of (str, str)
        For each contact, drive and program with feedback a label, and its modes, range or error.
    notes : tuple of str
        Sentences on what was assumed: |lambda| as the normal force of a contact with friction, forces that are not
        unique.

    Examples
    --------
    >>> crank = lk.load("examples/models/slider_crank.toml")
    >>> audit = crank.simulate(start={"phi": 0.5}, until=0.1).audit
    >>> audit.ok, audit.warnings
    (True, ())
    >>> audit.residuals["position"]["guide"] < 1e-12
    True
    """

    run: Run = field(compare=False)
    residuals: dict[str, dict[str, float]]
    needed: dict[str, dict[str, float]]
    imbalance: float
    energy: float
    moved: float
    warnings: tuple[str, ...]
    acting: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

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
        for k in sample_rows(run):
            problem = run.problem if run.history is None else run.history.problem(int(run.history.part[k]))
            terms, inputs = problem.model.function("terms"), np.zeros(problem.model.inputs)
            _, out = terms(float(run.t[k]), run.q[k].copy(), run.v[k].copy(), problem.parameters, inputs)
            A, _, G, _ = terms.parts(out)
            worst = max(worst, _condition(A, G))
        return worst

    def facts(self) -> list[str]:
        """Return the lines of the text before the warnings.

        Returns
        -------
        list of str
            Table of the residuals of each constraint, then one line per fact.
        """
        facts = [
            *_start(self.run),
            ("energy balance", f"{self.imbalance:.1e} of {self.energy:.3g}"),
            ("condition of D^T A D", f"{self.conditioning:.2g}"),
            ("singular positions", f"{len(self.rank_events)}, {self.statistics.bridges} stepped over"),
            *_switching(self.run, self.energy),
            *impact_facts(self.run),
            *clock_facts(clock_of(self.run)),
            *self.acting,
            *((f"work of {name}", f"{total:.6g}") for name, total in self.work.items()),
            *((p.method, f"t = {p.begin:.6g} to {p.end:.6g}, {p.steps} steps") for p in self.phases),
            (
                "evaluations",
                f"{self.statistics.evaluations}, {self.statistics.rejected} steps rejected, "
                f"{self.statistics.seconds:.3g} s",
            ),
        ]
        width = max(NAME_WIDTH, *(len(label) for label, _ in facts))
        return [*self._constraints(), *(f"{label:{width}} {what}" for label, what in facts), *self.notes]

    def _constraints(self) -> list[str]:
        """Return the table of the constraints: residuals as written, and the changes that they need."""
        names = list(self.residuals[LEVELS[2]])
        if not names:
            return ["There are no constraints."]
        head = ["residual, needed change".ljust(NAME_WIDTH), *LEVELS, "q [tol]", "v [tol]", "q'' [1]"]
        parts = (self.residuals, self.needed)
        rows = [[name, *(_shown(part[level].get(name)) for part in parts for level in LEVELS)] for name in names]
        return table([head, *rows])


def _shown(x: float | None) -> str:
    """Return a number of the table: empty for a level without residual, "-" for a constraint that never acted."""
    return "" if x is None else "-" if np.isnan(x) else f"{x:.1e}"


def _start(run: Run) -> list[tuple[str, str]]:
    """Return the line on the numbers of the start that were not given, if it is known how it was stated."""
    if run.start is None or run.start.stated is None:
        return []
    chosen = [name for name, origin in run.start.origins.items() if origin != GIVEN]
    listed = [f"{name} = {run.start[name]:.6g}" for name in chosen[:START_NUMBERS]]
    more = [f"{len(chosen) - START_NUMBERS} more"] if len(chosen) > START_NUMBERS else []
    return [("start", f"{', '.join([*listed, *more])} not given, made consistent")] if chosen else []


def _switching(run: Run, energy: float) -> list[tuple[str, str]]:
    """Return the line on events, if the run could have any."""
    if run.history is None:
        return []
    history = run.history
    lost, changes = float(np.sum(history.lost)), int(np.sum(history.event != NO_EVENT))
    lost = lost if abs(lost) > ENERGY_ROUNDING * energy else 0.0
    lines: list[tuple[str, str]] = []
    if history.events:
        events = f"{len(history.happened)}, {changes} changes of the system, {lost:.6g} of energy lost in impacts"
        lines.append(("events", events))
    samples = len(history.t) - changes
    return [*lines, ("samples of inputs", f"{samples}")] if samples > 1 else lines


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
        needed = needed_changes(numbers)
    of_energy = energy_warnings(numbers, imbalance, size, rounding)
    of_laws = (*gain_warnings(numbers), *impact_warnings(run), *event_warnings(run.history))
    of_clock = clock_warnings(clock_of(run), run.settings.rtol)
    warnings = (*residual_warnings(needed, residuals), *of_energy, *of_laws, *of_clock)
    return RunAudit(
        run, residuals, needed, imbalance, size, run.worst[0], warnings, tuple(activity(numbers)),
        (
            *normal_force_notes(c.name for c in run.problem.model.constraints if c.assumes_normal_force),
            *shared_load_notes(numbers),
        ),
    )  # fmt: skip


def _largest(values: Array) -> float:
    """Return the largest value over the rows at which a constraint acts; NaN if it never acts."""
    acting = values[~np.isnan(values)] if np.isnan(values).any() and not np.isnan(values).all() else values
    return float(np.max(acting))


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
