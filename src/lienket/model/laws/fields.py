"""Fields of a law: what the user states, and how each of them is read, written and shown.

    expression   a formula of q, q' and t, or of parameters alone; a field without any of these marks is one
    column       a generalized force, {coordinate: formula}, kept as ((coordinate, formula), ...)
    vector       the position of a point, (X, Y) or (X, Y, Z)
    flag         True or False
    word         one of several words

Reading and checking a law, its entry in model files, its JSON schema and its text all follow from the fields.
"""

from __future__ import annotations

from dataclasses import MISSING, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any

from ...foundation.frozen_dataclass import dataclass

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


EXPRESSION, COLUMN, VECTOR, FLAG, WORD = "expression", "column", "vector", "flag", "word"
PARAMETERS_ONLY = -1
"""Order of an expression that contains parameters and no motion."""
_KEY = "lienket"


@dataclass(frozen=True)
class LawField:
    """A field of a law: its role (EXPRESSION, COLUMN, VECTOR, FLAG, WORD), its default, and what files say about it.

    `order` is the highest derivative allowed in an expression, -1 for parameters only; `choices` are the words allowed;
    `required`: a file must state it. A field without a default has MISSING.
    """

    role: str = EXPRESSION
    about: str = ""
    order: int = 1
    choices: tuple[str, ...] = ()
    required: bool = False
    default: Any = field(default_factory=lambda: MISSING)


def expression(
    about: str = "", default: Any = MISSING, *, order: int = 1, required: bool = False, keyword: bool = False
) -> Any:
    """Return a field of a law that holds a formula.

    Parameters
    ----------
    about : str
        Sentence on it for editors of model files.
    default : expression, optional
        Its default; None if the law does without it.
    order : int
        Highest derivative of coordinates allowed in it: 1 for velocities, 0 for positions, -1 for parameters only.
    required : bool
        Whether a model file must state it although it has a default.
    keyword : bool
        Whether it is stated by its name only, and not by its position.

    Returns
    -------
    Field
        Field for the body of a frozen data class.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Constant(lk.laws.Friction):
    ...     mu: object = lk.laws.expression("The coefficient.", order=-1)
    ...     def coefficient(self, speed):
    ...         return self.mu
    >>> Constant(0.3, slip=der(lk.coordinates("x"))).mu
    0.3
    """
    return _marked(LawField(EXPRESSION, about, order, (), required, default), keyword)


def column(about: str = "", *, keyword: bool = False) -> Any:
    """Return a field of a law that holds a generalized force.

    Parameters
    ----------
    about : str
        Sentence on it for editors of model files.
    keyword : bool
        Whether it is stated by its name only, and not by its position.

    Returns
    -------
    Field
        Field for the body of a frozen data class. The user states {coordinate: formula}, or lk.Force at points; the law
        reads ((coordinate, formula), ...).

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Halved(lk.laws.Law):
    ...     forces: object = lk.laws.column("Twice the force.")
    ...     def force(self, name, coordinates):
    ...         return lk.laws.LawForce(push=tuple((x, e/2) for x, e in self.forces))
    >>> x, y = lk.coordinates("x y")
    >>> block = lk.System("block", [x, y], kinetic=der(x)**2/2 + der(y)**2/2)
    >>> block.constrain("floor", y, law=Halved({x: 6})).at([0, 0], [0, 0]).accelerations + 0
    array([3., 0.])
    """
    return _marked(LawField(COLUMN, about), keyword)


def vector(about: str = "", *, keyword: bool = False) -> Any:
    """Return a field of a law that holds the position of a point; the law does without it if it is None.

    Parameters
    ----------
    about : str
        Sentence on it for editors of model files.
    keyword : bool
        Whether it is stated by its name only, and not by its position.

    Returns
    -------
    Field
        Field for the body of a frozen data class. The user states 1 to 3 formulas of positions and time.

    Examples
    --------
    >>> print(lk.laws.vector("The point at which it acts.").default)
    None
    """
    return _marked(LawField(VECTOR, about, order=0, default=None), keyword)


def flag(about: str = "", default: bool = False, *, keyword: bool = False) -> Any:
    """Return a field of a law that is True or False.

    Parameters
    ----------
    about : str
        Sentence on it for editors of model files.
    default : bool
        Its default.
    keyword : bool
        Whether it is stated by its name only, and not by its position.

    Returns
    -------
    Field
        Field for the body of a frozen data class.

    Examples
    --------
    >>> lk.laws.flag("Whether the surface is wet.").default
    False
    """
    return _marked(LawField(FLAG, about, default=default), keyword)


def word(about: str, choices: tuple[str, ...], *, keyword: bool = False) -> Any:
    """Return a field of a law that holds one of several words.

    Parameters
    ----------
    about : str
        Sentence on it for editors of model files.
    choices : tuple of str
        Words allowed; the first is the default.
    keyword : bool
        Whether it is stated by its name only, and not by its position.

    Returns
    -------
    Field
        Field for the body of a frozen data class.

    Examples
    --------
    >>> lk.laws.word("The material of the pad.", ("steel", "rubber")).default
    'steel'
    """
    return _marked(LawField(WORD, about, choices=choices, default=choices[0]), keyword)


def _marked(mark: LawField, keyword: bool) -> Any:
    """Return the field of a data class with this mark."""
    return field(default=mark.default, kw_only=keyword, metadata={_KEY: mark})


def law_fields(law: type) -> dict[str, LawField]:
    """Return the fields of a class of laws by name, in the order of its arguments."""
    return _law_fields(law)


@cache
def _law_fields(law: type[DataclassInstance]) -> dict[str, LawField]:
    ordered = sorted(fields(law), key=lambda f: bool(f.kw_only))
    marks = {f.name: f.metadata.get(_KEY, LawField(default=f.default)) for f in ordered}
    if "kind" in marks:
        raise TypeError(
            f"kind is an attribute of the class {law.__name__}, not a field: write kind = ... without a type"
        )
    return marks
