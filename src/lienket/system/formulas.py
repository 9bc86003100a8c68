"""Methods of System that return formulas (SymPy expressions), derived from its statement on demand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..elimination.forms import Equations
    from ..elimination.stage_table import Stages
    from ..reactions.joint_reaction import JointReaction
    from ..reactions.reactions import Reactions
    from . import System


def stages(self: System, independent: Iterable[Any] | None = None, choice: str = "pivot") -> Stages:
    """Return the result of eliminating each constraint, in the order of the constraints.

    Parameters
    ----------
    independent : iterable of coordinates or names, optional
        Coordinates that must not be eliminated; with ``choice="pivot"`` only.
    choice : {"pivot", "orthogonal"}
        Null space H of each row: sparse, with one eliminated coordinate, as in the papers, or with orthogonal
        columns by Gram and Schmidt, whose formulas grow quickly with the number of rows.

    Returns
    -------
    Stages
        One stage for the free system and one for each constraint, with name, kind, verdict, freedom, beta, H, D
        (n x freedom), C and f.

    Raises
    ------
    LienketError
        If `choice` is unknown or does not permit `independent`; UnknownName for an unknown coordinate.

    Examples
    --------
    >>> disc = lk.load("examples/models/rolling_disc.toml")
    >>> print(disc.stages())
    constraint  kind       verdict      freedom  changes the reaction of  as long as
    (free)                              3
    contact     holonomic  independent  2        -
    rolling     holonomic  independent  1        -
    """
    from .. import derivation
    from ..elimination.independent import independent_indices
    from ..elimination.stage_table import Stages

    indices = independent_indices(self._statement.names, independent, choice)
    return Stages(derivation.stages(self._statement, indices, choice))


def equations(
    self: System,
    form: str = "reduced",
    *,
    pseudovelocities: Iterable[Any] | Mapping[Any, Any] | None = None,
    independent: Iterable[Any] | None = None,
    choice: str = "pivot",
) -> Equations:
    """Return the equations of motion as formulas.

    =================  =============================================================
    form               equations
    =================  =============================================================
    "full"             A q'' = h + r, constraints, D^T r = 0
    "reduced"          C q'' = f, constraints
    "pseudovelocity"   (D^T A D) pi'' = D^T [h - A (D' pi' + d')]
    "multipliers"      A q'' = h + G^T lambda, constraints
    =================  =============================================================

    A constraint with a law exerts c in addition to G^T lambda: then D^T r = D^T c, and h + c replaces h. The
    multiplier that determines friction follows from the equations of the eliminated coordinates.

    Parameters
    ----------
    form : {"reduced", "full", "pseudovelocity", "multipliers"}
        Form of the equations.
    pseudovelocities : mapping of str to expression, optional
        Name and definition, linear in q', of the pseudovelocity of each degree of freedom.
    independent, choice
        As in `stages`.

    Returns
    -------
    Equations
        Formulas with ``.text()``, ``.latex()`` and ``.mathml()``; ``.remarks`` states the conditions under which
        contacts push and stick, and the bounds of drives.

    Raises
    ------
    LienketError
        If the form is unknown or constraints contradict each other.

    Examples
    --------
    >>> disc = lk.load("examples/models/rolling_disc.toml")
    >>> print(disc.equations())
    motion:
      J*phi'' - m*r*x'' = M - Fx*r
    constraints:
      y - r = 0
      x + r*phi = 0
    """
    from .. import derivation
    from ..elimination.independent import independent_indices

    indices = independent_indices(self._statement.names, independent, choice)
    return derivation.equations(self._statement, form, pseudovelocities, indices, choice)


def accelerations(self: System) -> dict[Any, Any]:
    """Return explicit formulas for the accelerations q''.

    The formulas of large systems are long; `at` gives numbers. Unilateral contacts count as closed; friction has
    no formulas.

    Returns
    -------
    dict
        Expression of q'' by coordinate.

    Raises
    ------
    LienketError
        If constraints contradict each other, or friction acts.

    Examples
    --------
    >>> disc = lk.load("examples/models/rolling_disc.toml")
    >>> x, y, phi = disc.coordinates
    >>> disc.accelerations()[phi]
    (-Fx*r + M)/(J + m*r**2)
    """
    from .. import derivation

    formulas = derivation.accelerations(self._statement)
    return dict(zip(self.coordinates, formulas, strict=True))


def reactions(self: System, method: str = "multipliers") -> Reactions:
    """Return the generalized reaction of each constraint as formulas.

    Laws that are functions of the state are included, r = G^T lambda + c. Unilateral contacts count as closed;
    friction has no formulas.

    Parameters
    ----------
    method : {"multipliers", "direct", "middle", "accelerations"}
        Way of derivation; all give equal reactions.

    Returns
    -------
    Reactions
        Reaction (n x 1) by the name of the constraint, with ``.total`` and ``.multipliers``.

    Raises
    ------
    LienketError
        If the method is unknown, constraints contradict each other, or Coulomb friction acts.

    Examples
    --------
    >>> disc = lk.load("examples/models/rolling_disc.toml")
    >>> print(disc.reactions()["contact"])
    Matrix([[0], [-Fy + g*m], [0]])
    """
    from .. import derivation

    return derivation.reactions(self._statement, method)


def influence(self: System, of: str | None = None, on: str | None = None) -> Any:
    """Return the influence of one constraint's reaction on the reaction of another, or of all on all.

    The matrix C (n x n) satisfies (change of the reaction of `on`) = C (reaction of `of`).

    Parameters
    ----------
    of, on : str, optional
        Names of two constraints; give both or neither.

    Returns
    -------
    Matrix or Influence
        The matrix C of the two constraints; without names the table of all pairs.

    Raises
    ------
    LienketError
        If only one name is given or a name is unknown.

    Examples
    --------
    >>> disc = lk.load("examples/models/rolling_disc.toml")
    >>> print(disc.influence(of="rolling", on="contact"))
    Matrix([[0, 0, 0], [0, -1, 0], [0, 0, 0]])
    """
    from .. import derivation

    return derivation.influence(self._statement, of, on)


def joint_reaction(self: System, name: str) -> JointReaction:
    """Return the reaction of a joint of a mechanism as a formula, as releasing the joint would show it.

    Parameters
    ----------
    name : str
        Name of a joint, in the tree or cut.

    Returns
    -------
    JointReaction
        Force and torque on the second body at the second place, in the axes of that place: formulas of q, q', q'' and
        the multipliers of cut joints.

    Raises
    ------
    LienketError
        If the system has no joints, or the joint has been released; UnknownName for an unknown joint.

    Examples
    --------
    >>> m, l, g = lk.parameters("m l g")
    >>> pendulum = lk.planar.Mechanism("pendulum", gravity=(0, -g))
    >>> rod = pendulum.body("rod", mass=m, length=l)
    >>> hinge = pendulum.revolute("phi", pendulum.ground.at(0, 0), rod.at(0, 0))
    >>> print(pendulum.system().joint_reaction("phi").force[0])
    g*m*sin(phi(t)) - l*m*Derivative(phi(t), t)**2/2
    """
    from ..reactions.joint_reaction import joint_reaction as reaction_of

    return reaction_of(self._closed, name)
