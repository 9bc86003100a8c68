"""State: all quantities of a constrained system at one q, v, t, in numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..compiled.state_numbers import LawNumbers, StateNumbers
from ..elimination.verdict import CONTRADICTORY, INDEPENDENT, Verdict
from ..errors import LienketError, UnknownName
from ..foundation.arrays import Array
from ..foundation.frozen_dataclass import dataclass
from ..language.by_name import ByName
from ..language.expression import Expression
from ..language.names import column_index
from .audit import Audit, audit
from .contact_state import ContactState as ContactState
from .elimination.chain import NumericChain, constrain
from .elimination.householder import orthonormal_basis
from .elimination.release import release
from .elimination.verdicts import as_it_is, undetermined, verdicts, whole_chain
from .of_mechanism import OfMechanism
from .reactions.influence import InfluenceNumbers, change, table
from .reactions.non_ideal import NonIdealForces, non_ideal_forces
from .reactions.shares import Shares, reaction, shares
from .reactions.shares_within_laws import law_forces, shares_within_laws


@dataclass(frozen=True)
class State(OfMechanism):
    """Solution of A q'' = h + r, G q'' + g0 = 0 at one state, made by `System.at` and `Trajectory.at`.

    Arrays are in the order of the coordinates (n) and of the constraint rows (s). The state need not satisfy its
    constraints; the audit reports their residuals. If constraints contradict each other, or a force acts on a direction
    without mass, there are no accelerations: reading them or the reactions raises a LienketError with the reason.

    Attributes
    ----------
    names : tuple of str
        Names of the coordinates, n.
    modes : tuple of (str, str)
        Name and mode of each contact; `contacts` adds the forces.

    Examples
    --------
    >>> disc = lk.load("examples/models/rolling_disc.toml")
    >>> state = disc.at(q={"x": 0, "y": 0.37, "phi": 0}, v=[0, 0, 0])
    >>> state.accelerations.round(4).tolist()
    [-0.1026, 0.0, 0.2773]
    >>> state.reactions["contact"].round(3).tolist()
    [0.0, 23.163, 0.0]
    >>> state.audit.ok
    True
    """

    names: tuple[str, ...]  # of the coordinates
    _numbers: StateNumbers
    _chain: NumericChain  # with the rows of every constraint that is not a program
    # adds whether a verdict holds at all states
    _judge: Callable[[Verdict], Verdict] = field(default=as_it_is, repr=False)
    # solves without a constraint, if G depends on accelerations
    _without: Callable[[str], State] | None = field(default=None, repr=False)
    modes: tuple[tuple[str, str], ...] = ()  # of contacts, by name: "open", "sticks" or "slides"
    _on_constraints: StateNumbers | None = None  # the nearest state on the constraints, if verdicts are decided there
    _parts: Callable[[State], Any] | None = field(default=None, repr=False, compare=False)  # of a mechanism

    def __getitem__(self, key: str | Expression) -> float:
        """Return one position "x", velocity "x'" or acceleration "x''" (or x, der(x) and der(x, 2)).

        Parameters
        ----------
        key : str or symbol
            Name with primes, a coordinate, or its derivative.

        Returns
        -------
        float
            Its number.

        Raises
        ------
        UnknownName
            If there is no such coordinate or derivative.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> state = disc.at(q={"x": 0, "y": 0.37, "phi": 0}, v=[0, 0, 0])
        >>> state["y"]
        0.37
        """
        order, index = column_index(key, self.names)
        return float((self.q if order == 0 else self.v if order == 1 else self.accelerations)[index])

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same state of the same system: equal numbers of all equations."""
        if not isinstance(other, State):
            return NotImplemented
        return (self.names, self.modes) == (other.names, other.modes) and self._numbers == other._numbers

    def __hash__(self) -> int:
        return hash((self.names, self.modes, self.t))

    # The equations

    @property
    def t(self) -> float:
        """Time."""
        return self._numbers.t

    @property
    def q(self) -> Array:
        """Positions (n)."""
        return self._numbers.q

    @property
    def v(self) -> Array:
        """Velocities (n)."""
        return self._numbers.v

    @property
    def A(self) -> Array:
        """Inertia matrix (n x n)."""
        return self._numbers.A

    @property
    def h(self) -> Array:
        """Applied and inertia forces h in A q'' = h + r (n)."""
        return self._numbers.h

    @property
    def G(self) -> Array:
        """Rows of all constraints on the accelerations, G q'' + g0 = 0 (s x n)."""
        return self._numbers.G

    @property
    def g0(self) -> Array:
        """Terms g0 in G q'' + g0 = 0 (s)."""
        return self._numbers.g0

    @cached_property
    def D(self) -> Array:
        """Orthonormal basis of the motions left free (n x k): G D = 0, D^T D = I."""
        return orthonormal_basis(self._chain_with_programs.G / self._chain.metric.scale, len(self.h))

    @cached_property
    def W(self) -> Array:
        """Mobility D (D^T A D)^-1 D^T under the constraints (n x n).

        W maps applied forces to accelerations; programs do not restrict it.
        """
        chain = self._checked_chain
        D = chain.D * chain.metric.scale[:, None]
        return D @ D.T

    # The solution

    @cached_property
    def accelerations(self) -> Array:
        """Accelerations q'' (n)."""
        return self._non_ideal.accelerations + 0.0  # turns -0.0 into 0.0

    @cached_property
    def reaction(self) -> Array:
        """Total generalized reaction r = A q'' - h of all constraints and drives (n).

        It is unique even if the constraints are redundant.
        """
        non_ideal = sum(self._non_ideal.forces.values(), np.zeros(len(self.h)))
        return reaction(self._chain_with_forces) + non_ideal

    @property
    def reactions(self) -> dict[str, Array]:
        """Generalized reaction of each constraint by name (n each).

        A constraint exerts G^T lambda + c, with c from its law; a program exerts E u of its drives. The force that
        holds a sticking contact is included in the reaction of the contact; an open contact exerts 0.
        """
        ideal, other = self._shares.reactions, self._law_forces
        zero = np.zeros(len(self.h))
        total = {row.name: ideal.get(row.name, zero) + other.get(row.name, 0.0) for row in self._numbers.rows}
        for row in self._numbers.rows:
            if row.holds is not None:  # the force that holds a contact is part of its reaction
                total[row.holds] = total[row.holds] + total.pop(row.name)
        return ByName(total | {name: zero for name, mode in self.modes if mode == "open"}, "constraint")

    @property
    def exerted(self) -> dict[str, Array]:
        """Forces other than G^T lambda by constraint (n each): c of a law, E u of the drives of a program."""
        return ByName(self._law_forces, "constraint with such a force")

    @property
    def multipliers(self) -> Array:
        """Multipliers lambda of all constraint rows, r = G^T lambda (s).

        Entries of programs are NaN: they have drives instead. The rows of sticking contacts are left out; `contacts`
        has their forces.
        """
        rows = [row for row in self._numbers.rows if row.holds is None]
        values = [self._shares.multipliers.get(row.name, np.full(len(row.g0), np.nan)) for row in rows]
        return np.concatenate(values) if values else np.zeros(0)

    @property
    def drives(self) -> dict[str, float]:
        """Drives u of the programs by name."""
        return ByName(self._non_ideal.drives, "drive")

    @property
    def feedback(self) -> dict[str, float]:
        """Part of each drive that corrects the errors of its program, by name; the rest is feed-forward."""
        return ByName(self._non_ideal.feedback, "drive")

    @property
    def contacts(self) -> dict[str, ContactState]:
        """Contacts by name, with .mode, .normal, .friction and .unique."""
        rows = {row.name: row for row in self._numbers.rows}
        sticking = {row.holds: row.name for row in self._numbers.rows}
        states = {}
        for name, mode in self.modes:
            force = float(self._shares.multipliers[name][0]) if name in rows else 0.0
            law = rows[name].law if name in rows else LawNumbers()
            holding = self._shares.multipliers[sticking[name]] if name in sticking else None
            unique = {name, sticking.get(name)}.isdisjoint(self._shares.not_unique)
            friction = law.share * force if holding is None else float(holding[0])
            states[name] = ContactState(mode, law.normal * force, friction, unique)
        return ByName(states, "contact")

    @property
    def not_unique(self) -> tuple[str, ...]:
        """Names of constraints whose share of the reaction is not unique; it is the least, of contacts within laws."""
        return self._shares.not_unique

    @cached_property
    def verdicts(self) -> Mapping[str, Verdict]:
        """Verdict on each constraint at this state, by name: independent, redundant or contradictory."""
        judged = {name: v if v.status == INDEPENDENT else self._judge(v) for name, v in self._raw_verdicts.items()}
        return ByName(judged, "constraint")

    @cached_property
    def audit(self) -> Audit:
        """Residuals of the constraints and of all equations that the solution satisfies."""
        return audit(self)

    # Influence and release

    def influence(self, of: str | None = None, on: str | None = None) -> Any:
        """Return the change of the reaction of one constraint that another one causes.

        The change is the reaction of `on` in the whole system less its reaction in the system without `of` (theory 7).

        Parameters
        ----------
        of : str, optional
            Name of the constraint that causes the change.
        on : str, optional
            Name of the constraint whose reaction changes.

        Returns
        -------
        ndarray or InfluenceNumbers
            Change of the generalized reaction of `on` (n); without names, the table of all pairs.

        Raises
        ------
        LienketError
            If only one name is given, a name is unknown, or both are equal.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> state = disc.at(q={"x": 0, "y": 0.37, "phi": 0}, v=[0, 0, 0])
        >>> state.influence(of="rolling", on="contact").tolist()
        [0.0, 0.0, 0.0]
        """
        if of is None and on is None:
            return self.influences
        if of is None or on is None:
            raise LienketError("Name two constraints, of=... and on=..., or none for the whole table.")
        self._check(of, on)
        if on not in self.reactions:
            raise UnknownName("constraint with a reaction of its own", on, list(self.reactions))
        return change(self, of, on)

    @cached_property
    def influences(self) -> InfluenceNumbers:
        """Influence of each constraint on the reaction of each other one, by pair (of, on).

        Entries are NaN if there is no motion without the constraint `of`.
        """
        return table(self)

    def release(self, name: str) -> State:
        """Return the state of the system without one constraint.

        The solution is updated by the formula of theory 4; positions and velocities are kept. With a contact that
        sticks, slip = 0 is released as well; the other contacts keep their modes.

        Parameters
        ----------
        name : str
            Name of the constraint.

        Returns
        -------
        State
            State at the same t, q, v with the remaining constraints.

        Raises
        ------
        UnknownName
            If no constraint has this name.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> state = disc.at(q={"x": 0, "y": 0.37, "phi": 0}, v=[0, 0, 0])
        >>> state.release("rolling").accelerations.round(4).tolist()
        [0.7391, 0.0, 2.0244]
        """
        self._check(name)
        if self._without is not None:
            return self._without(name)
        released = {row.name: row.holds for row in self._numbers.rows if name in (row.name, row.holds)}
        chain, freed = self._chain, released.values()
        for row in released:
            chain = release(chain, row)
        rows = tuple(row for row in self._numbers.rows if row.name not in released)
        modes = tuple((c, "slides" if c in freed else mode) for c, mode in self.modes if c != name)
        return State(self.names, replace(self._numbers, rows=rows), chain, modes=modes)

    # Private

    @property
    def _passive(self) -> tuple[str, ...]:
        """Names of the constraints that are not programs."""
        return tuple(row.name for row in self._numbers.rows if not row.program)

    def _check(self, *names: str | None) -> None:
        """Raise UnknownName if a name is not that of a constraint, or of an open contact."""
        all_names = [row.name for row in self._numbers.rows]
        all_names += [name for name, mode in self.modes if mode == "open"]
        for name in names:
            if name is not None and name not in all_names:
                raise UnknownName("constraint", name, all_names)

    @cached_property
    def _chain_with_programs(self) -> NumericChain:
        """Chain with the rows of programs."""
        chain = self._chain
        for row in self._numbers.rows:
            if row.program:
                chain = constrain(chain, row.name, row.G, row.g0)
        return chain

    @cached_property
    def _raw_verdicts(self) -> dict[str, Verdict]:
        """Verdicts here, or at the nearest state on the constraints, without `_judge`."""
        if self._on_constraints is None:
            return verdicts(self._chain_with_programs, self._numbers)
        return verdicts(whole_chain(self._on_constraints, self._chain.tolerance), self._on_constraints)

    @cached_property
    def _checked_chain(self) -> NumericChain:
        """Chain without programs; raises an error unless accelerations exist and are unique."""
        judged = self._raw_verdicts.values() if self._chain_with_programs.skipped else ()  # all independent
        if against := [v for v in judged if v.status == CONTRADICTORY]:
            raise LienketError("There is no motion at this state: " + " ".join(v.sentence for v in against))
        if self._chain.massless:
            raise LienketError(undetermined(self._chain, self.names))
        return self._chain

    @cached_property
    def _non_ideal(self) -> NonIdealForces:
        """Forces of laws and drives, and the accelerations with them."""
        kept = {(row.name, row.number) for row in self._chain_with_programs.skipped}
        return non_ideal_forces(self._checked_chain, self._numbers.rows, kept)

    @cached_property
    def _chain_with_forces(self) -> NumericChain:
        """Chain with the non-ideal forces in h."""
        chain, forces = self._checked_chain, self._non_ideal.forces
        if not forces:
            return chain
        scale = chain.metric.scale
        metric = replace(chain.metric, h=chain.metric.h + sum(forces.values()) * scale)
        return replace(chain, a=self.accelerations / scale, metric=metric)

    @cached_property
    def _shares(self) -> Shares:
        """Shares of the ideal constraints in the reaction; where contacts share a load, within their laws."""
        return shares_within_laws(shares(self._chain_with_forces, self._passive), self._numbers.rows, self.modes)

    @cached_property
    def _law_forces(self) -> dict[str, Array]:
        """Forces of laws and drives by constraint (n each), with the friction of the shares."""
        return law_forces(self._non_ideal.forces, self._shares, self._numbers.rows)
