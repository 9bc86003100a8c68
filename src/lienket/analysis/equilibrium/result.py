"""Equilibrium: a position of rest, the reactions that hold it, and whether it is stable.

Equilibria: a branch of positions of rest over one parameter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ...errors import LienketError, UnknownName
from ...foundation.arrays import Array, BoolArray
from ...foundation.frozen_dataclass import dataclass
from ...language.by_name import ByName
from ...language.names import name_among
from .forces_at_rest import ForcesAtRest
from .newton import EquilibriumSearch
from .stability import STABLE, Stability

if TYPE_CHECKING:
    from ...language.expression import Expression


LISTED_COORDINATES = 6  # [1] most coordinates in an error message
REST_RESIDUAL_TOLERANCE = 1e-9  # [1] relative residual at rest above which a constraint prescribes a motion


@dataclass(frozen=True)
class Equilibrium:
    """Position of rest, h(q, 0, t) + G^T lambda = 0 and g(q, t) = 0, made by `System.equilibrium`.

    Constraints on velocities act with their reactions too.

    Attributes
    ----------
    t : float
        Time.
    names : tuple of str
        Names of the coordinates, n.
    q : ndarray
        Positions (n).
    multipliers : ndarray
        Multipliers lambda of the constraint rows (s); those of least norm if rows are redundant.
    reactions : Mapping of str to ndarray
        Generalized reaction of each constraint (n each).
    basis : ndarray
        Basis D of the motions left free (n x k), G D = 0; orthonormal in units of the coordinates.
    stiffness : ndarray
        Matrix D^T K D (k x k) with K = -d(h + G^T lambda)/dq, which includes the stiffness due to the reactions.
    inertia : ndarray
        Matrix D^T A D (k x k).
    stability : str
        "stable", "unstable", or "neutral" if the linear system does not decide.
    frequencies : ndarray
        Natural frequencies in radians per unit of time, lowest first; NaN for a motion that grows.

    Examples
    --------
    >>> x, y = lk.coordinates("x y")
    >>> free = lk.System("pendulum", [x, y], kinetic=(der(x)**2 + der(y)**2)/2, potential=9*y)
    >>> pendulum = free.constrain("rod", x**2 + y**2 - 1)
    >>> rest = pendulum.equilibrium(guess={"y": -0.9})
    >>> round(rest["y"], 9), rest.stability, rest.frequencies.round(9).tolist()
    (-1.0, 'stable', [3.0])
    >>> rest.reactions["rod"].round(9).tolist()
    [0.0, 9.0]
    """

    t: float
    names: tuple[str, ...]
    q: Array
    multipliers: Array
    reactions: Mapping[str, Array]
    basis: Array
    stiffness: Array
    inertia: Array
    stability: str
    frequencies: Array

    @property
    def v(self) -> Array:
        """Velocities (n), all 0."""
        return np.zeros(len(self.names))

    @property
    def stable(self) -> bool:
        """Whether the equilibrium is stable, by the linear system or by its energy."""
        return self.stability == STABLE

    def __getitem__(self, name: str | Expression) -> float:
        """Return the position of one coordinate.

        Parameters
        ----------
        name : str or symbol
            Name of the coordinate, or the coordinate itself.

        Returns
        -------
        float
            Its position.

        Raises
        ------
        UnknownName
            If there is no such coordinate.
        """
        label = name_among(name, self.names)
        if label not in self.names:
            raise UnknownName("coordinate", label, self.names)
        return float(self.q[self.names.index(label)])

    def text(self) -> str:
        """Return the positions, the reactions and the stability in plain text.

        Returns
        -------
        str
            One line per coordinate and per constraint, then the frequencies.
        """
        width = max(map(len, self.names), default=0)
        lines = [f"Equilibrium at t = {self.t:g}: {self.stability}"]
        lines += [f"{name:{width}} = {x: .10g}" for name, x in zip(self.names, self.q, strict=True)]
        for name, reaction in self.reactions.items():
            parts = [f"{x} {f:.6g}" for x, f in zip(self.names, reaction, strict=True) if f != 0]
            lines.append(f"reaction of {name}: {', '.join(parts) or 'none'}")
        if len(self.frequencies):
            lines.append("frequencies: " + ", ".join("grows" if np.isnan(w) else f"{w:.6g}" for w in self.frequencies))
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()


def equilibrium_result(rest: ForcesAtRest, judged: Stability) -> Equilibrium:
    """Return the result at a balanced position."""
    of, G = rest.of, rest.terms["G"]
    reactions = {name: _frozen(G[rows].T @ rest.multipliers[rows]) for name, rows in of.model.rows.items()}
    return Equilibrium(
        of.t, of.names, _frozen(rest.q), _frozen(rest.multipliers), ByName(reactions, "constraint"),
        _frozen(judged.basis), _frozen(judged.stiffness), _frozen(judged.inertia), judged.word,
        _frozen(judged.frequencies),
    )  # fmt: skip


def no_equilibrium(search: EquilibriumSearch) -> LienketError:
    """Return the error for a failed search: the position of least residual, and the unbalanced forces there."""
    rest = search.rest
    of = rest.of
    where = ", ".join(f"{name} = {x:.6g}" for name, x in list(zip(of.names, rest.q, strict=True))[:LISTED_COORDINATES])
    head = "No equilibrium was found from this guess."
    if not rest.finite:
        return LienketError(f"{head} A force or a constraint is not finite at {where}. Give another guess.")
    residuals = rest.rate_residuals.reshape(2, -1)
    moving: dict[str, str] = {}
    for word, row in zip(("velocity", "acceleration"), residuals, strict=True):
        for name, x, unit in zip(of.model.owners, row, rest.bound.unit, strict=True):
            if abs(x) > REST_RESIDUAL_TOLERANCE:
                moving.setdefault(name, f"{name!r} has a residual of {x * unit:.3g} in {word}")
    if moving:
        return LienketError(
            f"{head} At {where}, {'; '.join(moving.values())} when the system is at rest: it prescribes a motion."
        )
    order = np.argsort(-np.abs(rest.force) * of.scale)[:LISTED_COORDINATES]
    left = ", ".join(f"{rest.force[i]:.6g} on {of.names[i]}" for i in order if rest.force[i] != 0)
    return LienketError(
        f"{head} Where the forces are nearest to balance, at {where}, there remains {left}. "
        "Give another guess, or hold coordinates that no force keeps in place: fixed={...}."
    )


def _frozen(x: Array) -> Array:
    """Return a read-only copy without negative zeros."""
    copy = np.array(x, dtype=float) + 0.0
    copy.setflags(write=False)
    return copy


@dataclass(frozen=True)
class Equilibria:
    """Branch of equilibria over one parameter (N points), made by `System.equilibrium` with `over`.

    The points are in the order in which the branch was followed; it may turn back and pass a value more than once.

    Attributes
    ----------
    t : float
        Time.
    names : tuple of str
        Names of the coordinates, n.
    parameter : str
        Name of the parameter.
    values : ndarray
        Values of the parameter (N).
    q : ndarray
        Positions (N x n).
    multipliers : ndarray
        Multipliers lambda of the constraint rows (N x s); those of least norm if rows are redundant.
    stability : tuple of str
        "stable", "unstable" or "neutral" for each point.
    asked : ndarray
        Whether the point has exactly one of the requested values (N booleans).
    turning_points : tuple of int
        Indices of the points at which the branch turns back.
    outcome : str
        Sentence on how the branch ended.
    complete : bool
        Whether the branch passed all requested values.

    Examples
    --------
    >>> x = lk.coordinates("x")
    >>> k = lk.parameters("k")
    >>> cubic = lk.System("cubic spring", [x], kinetic=der(x)**2/2, potential=x**4/4 - k*x)
    >>> branch = cubic.equilibrium(guess={"x": 1}, over=("k", [1, 8]))
    >>> branch["x"][branch.asked].round(9).tolist(), branch.complete
    ([1.0, 2.0], True)
    """

    t: float
    names: tuple[str, ...]
    parameter: str
    values: Array
    q: Array
    multipliers: Array
    stability: tuple[str, ...]
    asked: BoolArray
    turning_points: tuple[int, ...]
    outcome: str
    complete: bool

    def __post_init__(self) -> None:
        for array in (self.values, self.q, self.multipliers, self.asked):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, name: str | Expression) -> Array:
        """Return the column of a coordinate or of the parameter.

        Parameters
        ----------
        name : str or symbol
            Name of a coordinate or of the parameter, or one of these itself.

        Returns
        -------
        ndarray
            Its numbers (N).

        Raises
        ------
        UnknownName
            If there is no such coordinate or parameter.
        """
        label = name_among(name, [*self.names, self.parameter])
        if label == self.parameter:
            return self.values
        if label not in self.names:
            raise UnknownName("coordinate", label, [*self.names, self.parameter])
        return self.q[:, self.names.index(label)]

    @property
    def stable(self) -> BoolArray:
        """Whether each point is stable (N booleans)."""
        return np.array([word == STABLE for word in self.stability], dtype=bool)

    def text(self) -> str:
        """Return the branch in plain text.

        Returns
        -------
        str
            The outcome, then one line per requested value and per turning point.
        """
        head = f"{self.parameter:>14}  {'  '.join(f'{name:>14}' for name in self.names)}"
        lines = [self.outcome, head]
        for k in range(len(self)):
            turns = k in self.turning_points
            if turns or self.asked[k]:
                numbers = "  ".join(f"{x:14.7g}" for x in (self.values[k], *self.q[k]))
                lines.append(f"{numbers}  {self.stability[k]}{', turns' if turns else ''}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()
