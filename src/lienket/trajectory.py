"""Trajectory, the result of a simulation: an interface to the rows of a run, without algorithms."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from .assembly.models import problem
from .assembly.programs import with_hidden_programs
from .errors import LienketError, UnknownName
from .foundation.frozen_dataclass import dataclass
from .model.contacts import with_contact_modes
from .results.audit import RunAudit, audit
from .results.columns import columns
from .results.contact_rows import ContactRows, contact_rows
from .results.feedback import feedback
from .results.row_values import Energy, RowValues
from .results.work import work_by_constraint
from .simulation.events.history import Switch
from .simulation.outcome import Outcome
from .simulation.run.resample import resample
from .simulation.run.result import RankEvent, Run, Statistics

if TYPE_CHECKING:
    from .kernels.state import State

Array = Any


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """The motion of a system; rows are times, columns in the order of the coordinates or of the rows of constraints.

    Everything beside t, q and v is computed when it is first asked for. `trajectory.at(time)` gives everything at any
    time within the run, by dense output; `trajectory[10:20]` some of the rows.
    """

    system: Any
    numbers: RowValues

    @cached_property
    def audit(self) -> RunAudit:
        """How well the rows satisfy every law, and what happened on the way."""
        return audit(self.numbers)

    @cached_property
    def outcome(self) -> Outcome:
        """How the run ended, a sentence with .complete, .reason and .time; and what the audit complains about."""
        outcome = self.run.outcome
        for warning in self.audit.warnings:
            outcome = outcome.adding(warning)
        return outcome

    # Motion

    @property
    def run(self) -> Run:
        """The rows with all facts of the integration."""
        return self.numbers.run

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """The names of the coordinates."""
        return self.run.problem.names

    @property
    def constraints(self) -> tuple[str, ...]:
        """The names of the constraints."""
        return (*self.numbers.stated_rows, *(c.name for c in self.run.problem.model.followed))

    @property
    def multiplier_columns(self) -> dict[str, slice]:
        """The columns of `multipliers` that belong to each constraint."""
        return self.numbers.columns

    @property
    def t(self) -> Array:
        """Times, N."""
        return self.run.t

    @property
    def q(self) -> Array:
        """Positions, N x n."""
        return self.run.q

    @property
    def v(self) -> Array:
        """Velocities, N x n."""
        return self.run.v

    @property
    def accelerations(self) -> Array:
        """Accelerations, N x n."""
        return self.numbers.solved[0]

    def __getitem__(self, key: Any) -> Any:
        """A column by name, "x", "x'" or "x''"; or some of the rows, trajectory[10:20]."""
        if isinstance(key, str):
            name = key.rstrip("'")
            order = len(key) - len(name)
            if name not in self.coordinate_names or order > 2:
                raise UnknownName("column", key, [x + mark for x in self.coordinate_names for mark in ("", "'", "''")])
            return (self.q, self.v, self.accelerations)[order][:, self.coordinate_names.index(name)]
        if not isinstance(key, slice):
            raise LienketError('Index a trajectory by a column name, trajectory["x"], or by rows, trajectory[10:20].')
        if key.step is not None and not key.step > 0:
            raise LienketError("The step of a slice must be positive, as in trajectory[10:20:2].")
        run = self.run
        parts: dict[str, Any] = {
            name: np.ascontiguousarray(getattr(run, name)[key]) for name in ("t", "q", "v", "work", "steps")
        }
        if not len(parts["t"]):
            raise LienketError(f"There are no rows in {key}; the run has {len(run.t)} rows.")
        if run.history is not None:
            parts["history"] = replace(run.history, part=run.history.part[key])
        return self._with(replace(run, **parts))

    # Forces and energy

    @property
    def multipliers(self) -> Array:
        """Lambda of every row of the constraints, N x s; programs that are followed have none."""
        return self.numbers.multipliers

    @property
    def reactions(self) -> dict[str, Array]:
        """The generalized reaction of each constraint by name, N x n."""
        return self.numbers.reactions

    @property
    def drives(self) -> dict[str, Array]:
        """The drives of programs by name, N each."""
        return self.numbers.drives

    @property
    def energy(self) -> Energy:
        """.kinetic .potential .total .work .imbalance, N each."""
        return self.numbers.energy

    @cached_property
    def work(self) -> dict[str, Array]:
        """The work of each constraint since the start by name, N each: of its law, its drives, or of what moves it."""
        return work_by_constraint(self.numbers)

    @property
    def contacts(self) -> dict[str, ContactRows]:
        """What each contact did, by name: .mode, .normal and .friction, N each."""
        return contact_rows(self.numbers)

    @cached_property
    def feedback(self) -> dict[str, Array]:
        """The part of each drive that answers the errors of its program, N each; the rest is feed-forward."""
        return feedback(self.numbers)

    @property
    def program_errors(self) -> dict[str, Array]:
        """How far each program that is followed is missed, by name, N x rows: in positions, or velocities."""
        return self.numbers.errors

    @property
    def residuals(self) -> dict[str, dict[str, Array]]:
        """The largest residual of each constraint at each row, by level and name: residuals["position"]["rod"]."""
        return self.numbers.residuals

    @property
    def outputs(self) -> dict[str, Array]:
        """The outputs asked for, by name, N each."""
        return self.numbers.outputs

    @property
    def rank_events(self) -> tuple[RankEvent, ...]:
        """When constraints were dependent, or nearly so."""
        return self.run.rank_events

    @property
    def statistics(self) -> Statistics:
        """Steps, evaluations, seconds."""
        return self.run.statistics

    # Events

    @property
    def events(self) -> dict[str, Array]:
        """The times at which each event happened, by name; contacts bring their own, as "floor slips"."""
        if self.run.history is None:
            return {}
        happened = self.run.history.happened
        return {e: np.array([t for name, t in happened if name == e]) for e in self.run.history.events}

    @property
    def switches(self) -> tuple[Switch, ...]:
        """What events did: .t .event .before .after .v_before .v .impulses .energy_lost of each."""
        return self.run.history.switches if self.run.history is not None else ()

    def structure(self, time: float) -> tuple[str, ...]:
        """The names of the constraints that act at a time; at that of a switch, those after it."""
        if self.run.history is None:
            return self.constraints
        if not self.t[0] <= time <= self.t[-1]:
            raise LienketError(f"t = {time:.9g} is outside the run, {self.t[0]:.9g} to {self.t[-1]:.9g}.")
        return self.run.history.names(self.run.history.at(time))

    # Between rows

    def at(self, time: float) -> State:
        """Everything at a time within the run, like system.at; by dense output."""
        q, v, _ = resample(self.run, np.array([time], dtype=float))
        complete = type(self.system).from_statement(with_contact_modes(self.system.statement))
        parameters, system = self.run.problem.parameters, complete
        if self.run.history is not None:
            part = self.run.history.at(time)
            parameters, system = self.run.history.parameters[part], system.under(self.run.history.names(part))
        values = dict(zip(complete.parameters, parameters, strict=True))
        return system.at(q[0], v[0], float(time), {p: values[p] for p in system.parameters})

    def sampled(self, times: Any) -> Trajectory:
        """The same motion with rows at other times, by dense output; a whole number is so many, equally far apart."""
        run = self.run
        if isinstance(times, (int, np.integer)):
            times = np.linspace(run.t[0], run.t[-1], int(times))
        times = np.array(times, dtype=float)
        if times.ndim != 1 or not len(times) or not np.all(np.diff(times) > 0):
            raise LienketError("times must be a non-empty, strictly increasing sequence.")
        q, v, work = resample(run, times)
        history = run.history
        if history is not None:
            history = replace(history, part=np.array([history.at(t) for t in times]))
        return self._with(replace(run, t=times, q=q, v=v, work=work, steps=np.zeros(len(times)), history=history))

    def _with(self, run: Run) -> Trajectory:
        return replace(self, numbers=RowValues(run))

    # Files and plots

    def to_dict(self) -> dict[str, Array]:
        """Every column by name: t, x, x', x'', multipliers rod[0], reactions, energies, outputs."""
        return columns(self.numbers)

    def to_frame(self) -> Any:
        """A pandas frame with the same columns, by time; pandas must be installed."""
        try:
            import pandas
        except ImportError:
            raise LienketError("to_frame needs pandas, which is not installed: pip install pandas.") from None
        columns = self.to_dict()
        return pandas.DataFrame(columns, index=pandas.Index(columns.pop("t"), name="t"))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the trajectory to a file, whole or not at all: .npz, .csv, or .parquet; `lienket.load` reads it."""
        from .results.files.store import write

        write(self, path)

    def plot(self) -> Any:
        """A figure of motion, reactions, energy and residuals."""
        from .plots import overview

        return overview(self)

    def __len__(self) -> int:
        return len(self.t)

    def __eq__(self, other: object) -> bool:
        """Whether it is the same run of an equal system, bit for bit, however long it took."""
        if not isinstance(other, Trajectory):
            return NotImplemented
        return bool(self.system == other.system and self.run.same(other.run))

    def __hash__(self) -> int:
        return hash((self.system, self.t.tobytes()))

    def __reduce__(self) -> Any:
        problem = self.run.problem
        rows = _fields_except(self.run, "problem")
        return _unpickled, (self.system, problem.parameters, problem.model.stated_outputs, rows)

    def __repr__(self) -> str:
        rows = f"{len(self.t)} row{'s' if len(self.t) != 1 else ''}"
        return f"Motion of {self.system.name!r}: {rows} from t = {self.t[0]:g} to {self.t[-1]:g}\n{self.outcome}"


def trajectory(system: Any, run: Run) -> Trajectory:
    """Return the trajectory of a run."""
    return Trajectory(system, RowValues(run))


def _fields_except(instance: Any, excluded: str) -> dict[str, Any]:
    """Return the fields of a dataclass instance by name, except one."""
    return {f.name: getattr(instance, f.name) for f in fields(instance) if f.name != excluded}


def _unpickled(system: Any, parameters: Array, outputs: Any, rows: dict[str, Any]) -> Trajectory:
    """Return a pickled trajectory; its compiled code is that of the other runs of its system."""
    statement = with_hidden_programs(system.statement)
    active = None if rows["history"] is None else tuple(range(len(statement.every_constraint)))
    return Trajectory(system, RowValues(Run(problem(statement, parameters, outputs, active), **rows)))
