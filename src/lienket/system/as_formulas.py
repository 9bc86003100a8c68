"""A mechanism stated by formulas: `System.as_formulas`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..language.expression import Expression
    from ..model.constraint import Constraint
    from . import System


def as_formulas(self: System) -> System:
    """Return the system stated by formulas instead of bodies, joints and elements.

    Coordinates, constraints, numbers, events and inputs are the same, and so are all motions; results of joints, bodies
    and elements need the mechanism. The multipliers of unit constraints of Euler parameters are others. The formulas
    are short for small mechanisms only: the kinetic energy of an arm of 12 joints in space would have 2e10 terms.
    Labels of units are left out if the formulas do not agree with them, because a number of the mechanism, such as
    gravity, has a unit that is not stated.

    Returns
    -------
    System
        System with kinetic energy, potential, dissipation and generalized forces; one that is stated by formulas is
        returned unchanged.

    Raises
    ------
    LienketError
        If the mechanism has no coordinates.

    Examples
    --------
    >>> cart = lk.planar.Mechanism("cart")
    >>> block = cart.body("block", mass=3)
    >>> slide = cart.prismatic("x", cart.ground.at(0, 0), block.at(0, 0))
    >>> cart.motor("motor", "x", 2)
    >>> cart.system().as_formulas()
    System 'cart' in x
      T = 3*x'^2/2
      Q[x] = 2
    """
    from dataclasses import replace

    from ..errors import Faults, LienketError
    from ..mechanism.formulas import with_formulas
    from ..model.checks.units import check_units

    statement = self._statement
    if statement.free.mechanism is None:
        return self
    if not statement.coordinates:
        raise LienketError(f"The mechanism {self.name!r} has no coordinates, so that no formulas state it.")
    events = (
        replace(event, constraints=tuple(map(_plain, event.constraints))) if event.constraints else event
        for event in statement.events
    )
    stated = replace(
        statement,
        free=with_formulas(statement.free).mapped(_as_stated),
        constraints=tuple(map(_plain, statement.constraints)),
        events=tuple(events),
    )
    disagreements = Faults()
    check_units(stated, disagreements)
    stated = replace(stated, units=()) if disagreements else stated
    return type(self).from_statement(stated.normal())


def _plain(constraint: Constraint) -> Constraint:
    """Return a constraint as one that a user has stated."""
    from dataclasses import replace

    return replace(constraint.mapped(_as_stated), of_mechanism=False)


def _as_stated(expression: Expression) -> Expression:
    """Return an expression as it is read from a user: with exact numbers such as 1/2 for 0.5."""
    from ..errors import Faults
    from ..language.as_expression import as_expression

    return as_expression(expression, "", Faults())
