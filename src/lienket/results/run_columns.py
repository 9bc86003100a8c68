"""RunColumns: the quantities at the rows of a run as properties."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..foundation.arrays import Array, BoolArray
from ..foundation.frozen_dataclass import dataclass
from ..language.by_name import ByName
from ..simulation.events.history import Switch
from ..simulation.outcome import Outcome
from ..simulation.run.result import RankEvent, Run, Statistics
from ..simulation.start.sentence import start_sentence
from .audit.run_audit import RunAudit, audit
from .contact_rows import ContactRows, contact_rows
from .feedback import feedback
from .row_values import Energy, RowValues
from .work import work_by_constraint

if TYPE_CHECKING:
    from ..system import System


@dataclass(frozen=True, eq=False, repr=False)
class RunColumns:
    """Base of Trajectory: a system and the quantities at the N rows of its run.

    Attributes
    ----------
    system : System
        The simulated system.
    """

    system: System
    _numbers: RowValues

    @cached_property
    def audit(self) -> RunAudit:
        """Residuals of all equations along the rows, with warnings."""
        return audit(self._numbers)

    @cached_property
    def outcome(self) -> Outcome:
        """Sentence that states how the run ended, with complete, reason and time, and the warnings of the audit.

        The last sentence names the numbers of the start that were not given.
        """
        outcome = self._run.outcome
        for warning in self.audit.warnings:
            outcome = outcome.adding(warning)
        return outcome.beginning(start_sentence(self._run.start))

    # Motion

    @property
    def _run(self) -> Run:
        """Rows t, q, v and work with all data of the integration."""
        return self._numbers.run

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        return self._run.problem.names

    @property
    def constraints(self) -> tuple[str, ...]:
        """Names of the constraints, those with feedback or bounds last."""
        return (*self._numbers.stated_rows, *(c.name for c in self._run.problem.model.followed))

    @property
    def multiplier_columns(self) -> dict[str, slice]:
        """Columns of `multipliers` by constraint."""
        return ByName(self._numbers.columns, "constraint")

    @property
    def t(self) -> Array:
        """Times (N)."""
        return self._run.t

    @property
    def q(self) -> Array:
        """Positions (N x n)."""
        return self._run.q

    @property
    def v(self) -> Array:
        """Velocities (N x n)."""
        return self._run.v

    @property
    def accelerations(self) -> Array:
        """Accelerations (N x n)."""
        return self._numbers.solved[0]

    # Forces and energy

    @property
    def multipliers(self) -> Array:
        """Multipliers lambda of the constraint rows (N x s); programs with feedback or bounds have none."""
        return self._numbers.multipliers

    @property
    def reactions(self) -> dict[str, Array]:
        """Generalized reaction of each constraint by name (N x n): G^T lambda + c, or E u of a program."""
        return ByName(self._numbers.reactions, "constraint")

    @property
    def drives(self) -> dict[str, Array]:
        """Drives of programs by name (N each)."""
        return ByName(self._numbers.drives, "drive")

    @property
    def energy(self) -> Energy:
        """Energies kinetic, potential, total, work and imbalance (N each)."""
        return self._numbers.energy

    @cached_property
    def work(self) -> dict[str, Array]:
        """Work of each constraint and input since the start by name (N each): of laws, drives and prescribed motion."""
        return ByName(work_by_constraint(self._numbers), "constraint or input")

    @property
    def not_unique(self) -> dict[str, BoolArray]:
        """Rows (N) at which the share of a constraint in the reaction is not unique, by name, where there are any.

        Redundant constraints have the shares of least norm there, contacts the least that obey their laws.
        """
        return ByName(self._numbers.not_unique, "constraint whose share is not unique")

    @property
    def contacts(self) -> dict[str, ContactRows]:
        """Contacts by name: mode ("open", "closed", "slides" or "sticks"), normal and friction force (N each)."""
        return ByName(contact_rows(self._numbers), "contact")

    @cached_property
    def feedback(self) -> dict[str, Array]:
        """Feedback part of each drive (N each), which answers the error of its program; the rest is feed-forward."""
        return ByName(feedback(self._numbers), "drive")

    @property
    def program_errors(self) -> dict[str, Array]:
        """Errors of programs with feedback or bounds by name (N x rows), in positions or velocities."""
        return ByName(self._numbers.errors, "program with feedback or bounds")

    @property
    def residuals(self) -> dict[str, dict[str, Array]]:
        """Largest residual of each constraint (N) by level and name: ``residuals["position"]["rod"]``."""
        levels = {level: ByName(by_name, "constraint") for level, by_name in self._numbers.residuals.items()}
        return ByName(levels, "level")

    @property
    def outputs(self) -> dict[str, Array]:
        """Outputs of the run by name (N each)."""
        return ByName(self._numbers.outputs, "output")

    @property
    def inputs(self) -> dict[str, Array]:
        """Inputs of the system by name (N each)."""
        names = self.system.numeric_system.symbols.inputs
        return ByName({name: self._numbers.outputs[name] for name in names}, "input")

    @property
    def rank_events(self) -> tuple[RankEvent, ...]:
        """Times at which constraints were dependent or nearly dependent."""
        return self._run.rank_events

    @property
    def statistics(self) -> Statistics:
        """Numbers of steps and evaluations, and the computing time in seconds."""
        return self._run.statistics

    # Events

    @property
    def events(self) -> dict[str, Array]:
        """Times of each event by name; contacts add their own events, such as "floor slips"."""
        if self._run.history is None:
            return ByName({}, "event")
        happened = self._run.history.happened
        times = {e: np.array([t for name, t in happened if name == e]) for e in self._run.history.events}
        return ByName(times, "event")

    @property
    def switches(self) -> tuple[Switch, ...]:
        """Changes made by events, each with t, event, before, after, v_before, v, impulses and energy_lost."""
        return self._run.history.switches if self._run.history is not None else ()
