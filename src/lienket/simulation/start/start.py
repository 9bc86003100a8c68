"""Start: positions and velocities that satisfy the constraints, from which a motion can start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...compiled.model import CompiledModel
from ...errors import UnknownName
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass, replace
from ...language.names import name_among
from ...model.input.stated_start import StatedStart
from .assembly import Assembly, assemble, other_solutions
from .level_constraints import POSITIONS, VELOCITIES, LevelConstraints
from .near_guess import NearSolution, near_solution

if TYPE_CHECKING:
    from ...language.expression import Expression


GIVEN, GUESS, OPEN = "given", "guess", "open"


@dataclass(frozen=True)
class Start:
    """Consistent state at the time t, made by `System.consistent`: g(q, t) = 0, G v + g_t = 0, phi(q, v, t) = 0.

    `q, v = start` unpacks it.

    Attributes
    ----------
    t : float
        Time.
    names : tuple of str
        Names of the coordinates, n.
    q, v : ndarray
        Positions and velocities (n), read-only.
    others : tuple of ndarray
        Other positions (n each) that satisfy the constraints with the same fixed values, nearest first.
    other_velocities : tuple of ndarray
        Other velocities (n each) at q, if constraints are nonlinear in the velocities.
    stated : StatedStart
        Numbers from which it was computed: fixed, guessed, or 0.
    avoided : tuple of str
        Unilateral contacts that the solution nearest to the guess would have penetrated.

    Examples
    --------
    >>> crank = lk.load("examples/models/slider_crank.toml")
    >>> start = crank.consistent({"phi": 0.5}, guess={"theta": 0.2})
    >>> round(start["theta"], 6), round(start["theta'"], 6)
    (0.174469, 0.0)
    >>> [other.round(4).tolist() for other in start.others]
    [[0.5, 2.9671]]
    """

    t: float
    names: tuple[str, ...]
    q: Array
    v: Array
    others: tuple[Array, ...] = ()
    other_velocities: tuple[Array, ...] = ()
    of: Any = field(default=None, compare=False)  # the system and the parameters for which it was computed; not pickled
    stated: StatedStart | None = None
    avoided: tuple[str, ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)} | {"of": None}

    @property
    def alone(self) -> Start:
        """State without the other solutions, and without the system for which it was computed."""
        if self.of is None and not self.others and not self.other_velocities:
            return self
        return self._alone

    @cached_property
    def _alone(self) -> Start:
        return replace(self, of=None, others=(), other_velocities=())

    def __iter__(self) -> Iterator[Array]:
        yield self.q
        yield self.v

    def __getitem__(self, name: str | Expression) -> float:
        """Return one position or velocity.

        Parameters
        ----------
        name : str or symbol
            Name of a coordinate, "x", or of a velocity, "x'"; or x and der(x) themselves.

        Returns
        -------
        float
            Its number.

        Raises
        ------
        UnknownName
            If there is no such coordinate.
        """
        names = [*self.names, *(f"{x}'" for x in self.names)]
        label = name_among(name, names)
        if label not in names:
            raise UnknownName("coordinate or velocity", label, names)
        return float(np.concatenate([self.q, self.v])[names.index(label)])

    @property
    def origins(self) -> dict[str, str]:
        """Origin of each position "x" and velocity "x'": "given", "guess", or "open" if neither has its number."""
        names = [*self.names, *(f"{x}'" for x in self.names)]
        if self.stated is None:
            return dict.fromkeys(names, GIVEN)
        stated = self.stated
        fixed = np.concatenate([stated.fixed_q, stated.fixed_v])
        guessed = np.concatenate([stated.guessed_q, stated.guessed_v])
        return dict(zip(names, np.where(fixed, GIVEN, np.where(guessed, GUESS, OPEN)).tolist(), strict=True))

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Sentences on what was assumed for positions and velocities that were not given."""
        origins = self.origins
        sentences = []
        for names, what in ((self.names, "positions"), (tuple(f"{x}'" for x in self.names), "velocities")):
            unknown = [name for name in names if origins[name] == OPEN]
            guessed = [name for name in names if origins[name] == GUESS]
            if not unknown and not guessed:
                continue
            if what == "velocities" and not guessed:
                sentences.append("The velocities left open have the least kinetic energy that the constraints allow.")
                continue
            zero = " (0 where none is given)" if unknown else ""
            sentences.append(
                f"The {what} not given satisfy the constraints nearest to the guess{zero}, in the metric of A."
            )
        sentences += [f"A nearer solution would penetrate the contact {name!r}." for name in self.avoided]
        return tuple(sentences)

    def __repr__(self) -> str:
        width = max(map(len, self.names), default=0)
        rows = zip(self.names, self.q, self.v, strict=True)
        lines = [f"{name:{width}} = {q: .10g}   {name + chr(39):{width + 1}} = {v: .10g}" for name, q, v in rows]
        head = f"Start at t = {self.t:g}"
        for count, what in ((len(self.others), "assembly"), (len(self.other_velocities), "set of velocities")):
            if count:
                plural = what.replace("assembly", "assemblies").replace("set ", "sets ")
                head += f"; {count} other {what if count == 1 else plural}"
        return "\n".join([head, *lines])


def consistent_start(
    model: CompiledModel,
    names: Sequence[str],
    stated: StatedStart,
    t: float,
    parameters: Array,
    others: bool = True,
) -> Start:
    """Return the consistent start nearest to the stated values, with the fixed ones unchanged; see Start.

    First the positions are solved by Newton's method in the metric of A, then the velocities by projection at these
    positions. Fixed values change only by the rounding of typed numbers (`assembly.TYPED_ROUNDING`). With `others`
    further solutions are searched for; the solution itself does not depend on it. Raises StartError if there is none.
    """
    names = tuple(names)
    near = near_solution(model, stated, t, parameters)
    if near is None:
        position, velocity = _assembled(model, names, stated, t, parameters, others)
    else:
        position, velocity = Assembly(near.q), Assembly(near.v)
        if others:
            position, velocity = _with_others(model, names, stated, t, parameters, near)
    for x in (position.x, velocity.x, *position.others, *velocity.others):
        x.setflags(write=False)
    return Start(t, names, position.x, velocity.x, position.others, velocity.others, None, stated, ())


def _assembled(
    model: CompiledModel, names: tuple[str, ...], stated: StatedStart, t: float, parameters: Array, others: bool
) -> tuple[Assembly, Assembly]:
    """Return positions and velocities by the plain version, with all its searches and explanations."""
    q, v = np.array(stated.q), np.array(stated.v)
    position = assemble(LevelConstraints(model, t, parameters, POSITIONS, names, q), q, stated.fixed_q, others)
    on_velocities = LevelConstraints(model, t, parameters, VELOCITIES, _velocities(names), position.x)
    return position, assemble(on_velocities, v, stated.fixed_v, others)


def _with_others(
    model: CompiledModel, names: tuple[str, ...], stated: StatedStart, t: float, parameters: Array, near: NearSolution
) -> tuple[Assembly, Assembly]:
    """Return the solution near the guess with the others; there are none where fixed numbers adapted to rounding."""
    on_positions = LevelConstraints(model, t, parameters, POSITIONS, names, stated.q)
    on_velocities = LevelConstraints(model, t, parameters, VELOCITIES, _velocities(names), near.q)
    positions = () if near.rounded[0] else other_solutions(on_positions, near.q, stated.q, stated.fixed_q)
    velocities = () if near.rounded[1] else other_solutions(on_velocities, near.v, stated.v, stated.fixed_v)
    return Assembly(near.q, positions), Assembly(near.v, velocities)


def _velocities(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the velocities."""
    return tuple(f"{x}'" for x in names)
