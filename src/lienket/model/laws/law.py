"""Law: what every law of a constraint that is not ideal consists of; users write their own as a subclass.

A law is a frozen data class; `Law` is one of the standard library, so that users decorate theirs with
`dataclasses.dataclass(frozen=True)`. Its fields are what the user states (`fields`), its `kind` is its
word in model files. It says what its constraint exerts (`force`), what makes it invalid (`check`, `check_numbers`), and
which properties the package must know (`is_contact`, `depends_on_reaction`, ...). Nothing else distinguishes laws: no
other file asks for their class. docs/own-laws.md is the recipe.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import sympy as sp

from ...language.expression import Coordinate, Expression
from ...language.short_text import short_text
from ...language.symbols import name_of
from .fields import COLUMN, EXPRESSION, FLAG, VECTOR, WORD, LawField, law_fields
from .law_force import LawForce

if TYPE_CHECKING:
    from ..constraint import Constraint

Report = Callable[..., None]
"""Function report(what, advice="") that takes a fault of a law."""


class Number(float):
    """A number as messages show it: as the expression that was stated, or else in six digits."""

    stated: Expression | None

    def __new__(cls, value: float, stated: Expression | None = None) -> Self:
        """Return the number of a stated expression, or of parameters."""
        number = super().__new__(cls, value)
        number.stated = stated
        return number

    def __str__(self) -> str:
        from ...language.printing.text import plain  # here, since only messages need it

        return f"{float(self):.6g}" if self.stated is None else plain(self.stated)

    def __format__(self, form: str) -> str:
        return format(float(self), form) if form else str(self)


Numbers = Callable[[Any], Number | None]
"""Function that returns the number of an expression of parameters alone; None where it depends on more, or of None."""


@dataclass(frozen=True)
class Law:
    """Base class of all laws of constraints, and of a user's own: r = G^T lambda + c with c of `force`.

    A subclass is decorated with `dataclasses.dataclass(frozen=True)`, states its fields, which are formulas (see also
    `lk.laws.expression`), and defines `force`. For dry friction, begin with `lk.laws.Friction`.

    Attributes
    ----------
    kind : str
        Word of the law in model files; without it the law cannot be saved.
    about : str
        Sentence about the law for editors of model files.
    depends_on_reaction : bool
        Whether the force has a share of the multiplier lambda of the constraint, which then has one row.
    dissipates : bool
        Whether the constraint can only take energy while nothing prescribes its motion; the audit of a run watches it.
    exerts_force : bool
        Whether the law exerts a force c at all.
    has_friction : bool
        Whether the law is dry friction on a contact, which slides or sticks; see `lk.laws.Friction`.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Spring(lk.laws.Law):
    ...     stiffness: object
    ...     of: object
    ...     def force(self, name, coordinates):
    ...         return lk.laws.LawForce(push=((self.of, -self.stiffness*self.of),))
    >>> x, y = lk.coordinates("x y")
    >>> block = lk.System("block", [x, y], kinetic=der(x)**2 + der(y)**2, potential=20*y)
    >>> block.constrain("floor", y, law=Spring(8, x)).at([1, 0], [0, 0]).accelerations + 0
    array([-4.,  0.])
    """

    kind: ClassVar[str] = ""
    about: ClassVar[str] = ""
    depends_on_reaction: ClassVar[bool] = False
    dissipates: ClassVar[bool] = False
    exerts_force: ClassVar[bool] = True
    has_friction: ClassVar[bool] = False

    # What a law may define

    def force(self, name: str, coordinates: Sequence[Coordinate]) -> LawForce:
        """Return the force c = push + share lambda direction^T that the constraint exerts besides G^T lambda.

        Parameters
        ----------
        name : str
            Name of the constraint.
        coordinates : sequence of coordinates
            Coordinates of the system, in order.

        Returns
        -------
        LawForce
            Force in terms of the fields, of coordinates, velocities and time.
        """
        return LawForce()

    def check(self, constraint: Constraint, coordinates: Sequence[Coordinate], report: Report) -> None:
        """Report what makes the law invalid, whatever the numbers of its parameters are.

        Parameters
        ----------
        constraint : Constraint
            Constraint on which it acts, with `.expressions` and `.level`.
        coordinates : sequence of coordinates
            Coordinates of the system, in order.
        report : function
            report(what, advice="") takes each fault.
        """
        if (self.is_contact or self.depends_on_reaction) and len(constraint.expressions) != 1:
            rows = (
                f"it needs one row, whose multiplier is the normal force, but there are {len(constraint.expressions)}"
            )
            report(rows, "State each row as a separate constraint.")
        if self.contact_point is not None and self.stated_normal_factor is not None:
            report("both point and normal_factor are given", "Leave one of them out; each tells the normal force.")
        if self.can_open and constraint.level != 0:
            report("only a constraint on positions can be unilateral")
        for name, value, mark in self._marked(WORD):
            if value not in mark.choices:
                report(f"{name} must be {' or '.join(map(repr, mark.choices))}, not {value!r}")
        for name, value, _ in self._marked(FLAG):
            if not isinstance(value, bool):
                report(f"{name} must be True or False, not {short_text(repr(value))}")

    def check_numbers(self, number: Numbers, report: Report) -> None:
        """Report what makes the law invalid with given numbers of its parameters.

        It is called when the law is stated, for formulas that are numbers, and again whenever parameters get values.

        Parameters
        ----------
        number : function
            number(e) is the number of a formula, None if it depends on more than parameters, or is None itself.
        report : function
            report(what) takes each fault.
        """
        e = number(self.restitution_coefficient)
        if e is not None and not 0 <= e <= 1:
            report(f"restitution must lie between 0 and 1, but is {e}")
        report_not_positive(number, report, normal_factor=self.stated_normal_factor)

    @property
    def can_open(self) -> bool:
        """Whether the contact only pushes and may open: expression >= 0, lambda >= 0."""
        return False

    @property
    def can_stick(self) -> bool:
        """Whether the contact may stick."""
        return False

    @property
    def sliding_velocity(self) -> Expression | None:
        """Velocity against which the law acts; None without one."""
        return None

    @property
    def contact_point(self) -> tuple[Expression, ...] | None:
        """Position of the contact point, which makes the normal force known; None if it is not stated."""
        return None

    @property
    def stated_normal_factor(self) -> Expression | None:
        """Normal force per multiplier as stated in place of a contact point; None if it is not."""
        return None

    @property
    def restitution_coefficient(self) -> Expression:
        """Coefficient of restitution of a contact that can open."""
        return sp.S.Zero

    @property
    def impact_law(self) -> str:
        """Meaning of the restitution, "newton" or "poisson"."""
        return "newton"

    # What follows

    @property
    def is_contact(self) -> bool:
        """Whether the law has modes: its constraint slides, sticks or opens."""
        return self.can_open or self.has_friction

    def parts(self) -> dict[str, tuple[Expression, int]]:
        """Return every expression by name with the highest derivative order allowed in it; -1 for parameters only."""
        parts: dict[str, tuple[Expression, int]] = {}
        for name, value, mark in self._marked(EXPRESSION, COLUMN, VECTOR):
            if mark.role == COLUMN:
                parts |= {f"{name}[{name_of(x)}]": (e, mark.order) for x, e in value}
            elif mark.role == VECTOR:
                parts |= {f"{name}[{i}]": (e, mark.order) for i, e in enumerate(value or ())}
            elif value is not None:
                parts[name] = (value, mark.order)
        return parts

    def mapped(self, rewrite: Callable[[Expression], Expression]) -> Self:
        """Return a copy in which `rewrite` has been applied to every expression."""
        changes: dict[str, Any] = {}
        for name, value, mark in self._marked(EXPRESSION, COLUMN, VECTOR):
            if value is None:
                continue
            if mark.role == COLUMN:
                changes[name] = tuple((x, rewrite(e)) for x, e in value)
            else:
                changes[name] = tuple(map(rewrite, value)) if mark.role == VECTOR else rewrite(value)
        return replace(self, **changes)

    def renamed(self, symbols: Mapping[Expression, Expression]) -> Self:
        """Return a copy in which the coordinates of columns are replaced by those in `symbols`."""
        columns = {name: tuple((symbols.get(x, x), e) for x, e in value) for name, value, _ in self._marked(COLUMN)}
        return replace(self, **columns) if columns else self

    @property
    def description(self) -> str:
        """Name of the law and what is stated, without defaults: "Coulomb, mu = 0.3, slip = x', unilateral"."""
        from ...language.printing.text import plain  # here, since only printing needs it

        phrases = []
        for name, value, mark in self._marked(EXPRESSION, COLUMN, VECTOR):
            if mark.role == COLUMN:
                phrases += [f"{name}[{name_of(x)}] = {plain(e)}" for x, e in value if e != 0]
            elif mark.role == VECTOR:
                phrases += [f"{name} = ({', '.join(map(plain, value))})"] if value is not None else []
            elif value is not None and (mark.default is MISSING or value != mark.default):
                phrases.append(f"{name} = {plain(value)}")
        phrases += [name for name, value, mark in self._marked(FLAG) if value != mark.default]
        phrases += [f"{name} = {value}" for name, value, mark in self._marked(WORD) if value != mark.default]
        return ", ".join([type(self).__name__, *phrases])

    def _marked(self, *roles: str) -> list[tuple[str, Any, LawField]]:
        """Return (name, value, mark) of the fields with these roles, in order."""
        marks = law_fields(type(self)).items()
        return [(name, getattr(self, name), mark) for name, mark in marks if mark.role in roles]


def report_negative(number: Numbers, report: Report, **expressions: Expression | None) -> None:
    """Report each of the expressions, given by name, that is negative or not a number."""
    for name, e in expressions.items():
        value = number(e)
        if value is not None and not value >= 0:
            report(f"{name} must not be negative, but is {value}")


def report_not_positive(number: Numbers, report: Report, **expressions: Expression | None) -> None:
    """Report each of the expressions, given by name, that is not positive."""
    for name, e in expressions.items():
        value = number(e)
        if value is not None and not value > 0:
            report(f"{name} must be positive, but is {value}")
