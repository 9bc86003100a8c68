"""ContactEvaluation: numbers at one state or many of a system with contacts, each state in its own contact modes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from ...compiled.constraint_facts import ConstraintFacts
from ...compiled.machine.python_callbacks import raise_faults
from ...compiled.model import CompiledModel
from ...errors import LienketError
from ...foundation.arrays import Array, BoolArray, IntArray
from ...foundation.frozen_dataclass import dataclass
from ...kernels.evaluation import Evaluation
from ...simulation.contacts.response import ContactQuantities
from ..contacts.modes import active_constraints, contacts_of
from ..numeric_system import NumericSystem

UNDECIDED, NOT_FINITE = -5, -4  # status of a state without contact modes


@dataclass(frozen=True, eq=False)
class StatesInMode:
    """States with equal contact modes: their indices, the active constraints, and the numbers in this mode."""

    rows: IntArray
    active: tuple[int, ...]
    numbers: Evaluation

    @property
    def constraints(self) -> tuple[ConstraintFacts, ...]:
        """Constraints of `reactions` and `exerted`, in their order."""
        return (*self.numbers.model.constraints, *self.numbers.model.followed)


@dataclass(frozen=True, eq=False)
class ContactEvaluation(Evaluation):
    """Numbers at N states of a system with contacts, as `system.at` has them at each.

    The modes of the contacts are decided at each state; states with equal modes are evaluated together. `model` has the
    stated constraints, `system` is the system in numbers, `model_of` returns the model for active constraints.
    `parameters` include the signs of contacts. An open contact has the multiplier 0 and the reaction 0; the force that
    holds a sticking contact is part of the reaction of the contact.
    """

    system: NumericSystem
    model_of: Callable[[tuple[int, ...]], CompiledModel]

    # Contacts

    @cached_property
    def modes(self) -> dict[str, Array]:
        """Mode of each contact by name, "open", "sticks" or "slides"; "" at a state without motion."""
        by_name = {}
        for k, contact in enumerate(self.system.contacts):
            values = np.full(len(self.t), "", dtype="<U6")
            for group in self._decided[0]:
                values[group.rows] = self.system.modes(group.active)[k][1]
            by_name[contact.name] = self._shaped(values)
        return by_name

    @cached_property
    def friction(self) -> dict[str, Array]:
        """Friction force of each contact along its slip, by name; without its viscous part while it slides."""
        by_name = {}
        for contact in self.system.contacts:
            values = np.full(len(self.t), np.nan)
            for group in self._decided[0]:
                numbers, holding = group.numbers, contact.tangential
                if holding in group.active:
                    row = numbers.model.rows[self.system.constraints[holding].name]
                    values[group.rows] = numbers.multipliers[:, row][:, 0]
                else:
                    values[group.rows] = numbers.friction.get(contact.name, 0.0)
            by_name[contact.name] = self._shaped(values)
        return by_name

    # Quantities that depend on the modes

    @cached_property
    def reactions(self) -> Array:
        """Generalized reaction of each constraint, ... x constraints x n, with the force of its law."""
        return self._of_constraints(lambda numbers: numbers.reactions)

    @cached_property
    def not_unique(self) -> BoolArray:
        """Whether each multiplier is not unique, ... x s; that of a contact also if only its static friction is not."""
        values = np.zeros((len(self.t), self.model.s), dtype=bool)
        for group in self._decided[0]:
            marked = group.numbers.not_unique
            for c in group.numbers.model.constraints:
                rows, stated = group.numbers.model.rows[c.name], self.model.rows.get(c.holds or c.name)
                if stated is not None:
                    values[np.ix_(group.rows, np.array(_indices(stated)))] |= marked[:, rows]
        return values.reshape((*self.shape, self.model.s))

    @cached_property
    def exerted(self) -> Array:
        """Non-ideal force of each constraint, ... x constraints x n: c of its law, E u of drives."""
        return self._of_constraints(lambda numbers: numbers.exerted)

    @cached_property
    def errors(self) -> dict[str, Array]:
        """Errors of programs that are followed, by name, ... x rows."""
        return {
            c.name: self._joined(lambda numbers, name=c.name: numbers.errors[name], (c.rows,))  # type: ignore[misc]
            for c in self.model.followed
        }

    @cached_property
    def outputs(self) -> dict[str, Array]:
        """Outputs of the system by name; those of q, q' and t alone do not depend on the modes."""
        if not self.system.model(None, self.model.stated_outputs).outputs_need_accelerations:
            values = self._blocks("outputs")["outputs"]
            return {name: values[..., k] for k, name in enumerate(self.model.outputs)}
        names = self.model.outputs
        return {name: self._joined(lambda numbers, name=name: numbers.outputs[name]) for name in names}  # type: ignore[misc]

    @cached_property
    def by_parameters(self) -> Array:
        """Derivatives of A q'' - h - G^T lambda and G q'' + g0 by the parameters, ... x (n + s) x p; see `by_q`."""
        symbols = self.system.symbols
        visible = np.array([k for k in range(len(symbols.parameters)) if k not in symbols.signs], dtype=int)
        return self._of_balance(lambda numbers: numbers.by_parameters[..., visible], (len(visible),))

    # Private

    @cached_property
    def _decided(self) -> tuple[list[StatesInMode], IntArray]:
        """States with equal contact modes, and the status (N) of states that have none, else 0."""
        status = np.zeros(len(self.t), dtype=np.int64)
        rows: dict[tuple[tuple[int, ...], bytes], list[int]] = {}
        finite = self._finite_terms()
        for k, t in enumerate(self.t.tolist()):
            if not finite[k]:
                status[k] = NOT_FINITE
                continue
            try:
                active, signed = active_constraints(self.system, t, self.q[k], self.v[k], self.parameters)
            except LienketError:
                status[k] = UNDECIDED
                continue
            rows.setdefault((active, signed.tobytes()), []).append(k)
        groups = []
        for (active, signed_bytes), indices in rows.items():
            at = np.array(indices)
            state = (self.t[at], self.q[at], self.v[at], np.frombuffer(signed_bytes))
            groups.append(StatesInMode(at, active, Evaluation(self.model_of(active), at.shape, *state)))
        return groups, status

    def _finite_terms(self) -> BoolArray:
        """Return whether the terms and the quantities that decide the modes are finite at each state (N booleans)."""
        system = contacts_of(self.system).system
        states = (self.t, self.q, self.v, self.parameters, np.zeros((len(self.t), system.model.inputs)))
        terms = system.model.function("terms").many(*states)[1]
        quantities = system.quantity_function.many(*states)[1]
        raise_faults(system.model.callbacks)
        names = ContactQuantities.__match_args__ * system.count
        deciding = [k for k, name in enumerate(names) if name in ("gap", "rate", "slip", "mu", "mu_static", "normal")]
        return np.isfinite(terms).all(axis=1) & np.isfinite(quantities[:, deciding]).all(axis=1)

    @cached_property
    def _solved(self) -> tuple[Array, Array, IntArray]:
        """Accelerations (N x n), multipliers of the stated rows and drives (N x (s + p)) and status (N)."""
        groups, status = self._decided
        model, status = self.model, status.copy()
        a = np.full((len(status), model.n), np.nan)
        unknowns = np.full((len(status), model.inputs - model.n), np.nan)
        for group in groups:
            rows, numbers = group.rows, group.numbers
            a[rows], status[rows] = numbers.accelerations, numbers.status
            values = np.zeros((len(rows), unknowns.shape[1]))
            stated, acting = self._common_rows(numbers.model)
            values[:, stated] = numbers.multipliers[:, acting]
            for name, drive in numbers.drives.items():
                values[:, model.s + model.drives.index(name)] = drive
            unknowns[rows] = values
        return a, unknowns, status

    @cached_property
    def _terms(self) -> dict[str, Array]:
        """Terms A, h, G, g0; the forces of laws in h depend on the modes."""
        return {**self._blocks("terms"), "h": self._joined(lambda numbers: numbers.h, (self.model.n,))}

    @cached_property
    def _derivatives(self) -> dict[str, Array]:
        """Derivatives at the solution; NaN in the rows G q'' + g0 of open contacts, without those of slip = 0."""
        n = self.model.n
        return {
            "by_q": self._of_balance(lambda numbers: numbers.by_q, (n,)),
            "by_v": self._of_balance(lambda numbers: numbers.by_v, (n,)),
            "by_t": self._of_balance(lambda numbers: numbers.by_t, ()),
        }

    def _common_rows(self, model: CompiledModel) -> tuple[list[int], list[int]]:
        """Return the rows of the stated constraints that act in a mode: their indices here and in its model."""
        pairs = [
            pair
            for name, rows in self.model.rows.items()
            if name in model.rows
            for pair in zip(_indices(rows), _indices(model.rows[name]), strict=True)
        ]
        return [here for here, _ in pairs], [there for _, there in pairs]

    def _joined(self, of: Callable[[Evaluation], Array], shape: tuple[int, ...] = ()) -> Array:
        """Join the values of all modes, an array of the shape for each state; NaN at states without motion."""
        values = np.full((len(self.t), *shape), np.nan)
        for group in self._decided[0]:
            values[group.rows] = of(group.numbers)
        return self._shaped(values)

    def _of_constraints(self, of: Callable[[Evaluation], Array]) -> Array:
        """Join values by constraint (N x constraints x n); those of sticking are added to the contact."""
        names = [c.name for c in (*self.model.constraints, *self.model.followed)]
        values = np.full((len(self.t), len(names), self.model.n), np.nan)
        for group in self._decided[0]:
            values[group.rows] = 0.0
            for k, c in enumerate(group.constraints):
                if (c.holds or c.name) in names:  # not hidden programs
                    values[group.rows, names.index(c.holds or c.name)] += of(group.numbers)[:, k]
        return self._shaped(values)

    def _of_balance(self, of: Callable[[Evaluation], Array], shape: tuple[int, ...]) -> Array:
        """Join values by row of the balance and of the stated constraints, N x (n + s) x shape."""
        n = self.model.n
        values = np.full((len(self.t), n + self.model.s, *shape), np.nan)
        for group in self._decided[0]:
            stated, acting = self._common_rows(group.numbers.model)
            here, there = ([*range(n), *(n + k for k in rows)] for rows in (stated, acting))
            values[np.ix_(group.rows, here)] = of(group.numbers)[:, there]
        return self._shaped(values)


def _indices(rows: slice) -> range:
    """Return the indices of rows."""
    return range(rows.start, rows.stop)
