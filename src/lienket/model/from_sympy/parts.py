"""Parts of a SymPy model, and the errors of a model that cannot be imported."""

from __future__ import annotations

from collections.abc import Sequence

from sympy.core.function import AppliedUndef

from ...errors import Fault, ModelError
from ...foundation.frozen_dataclass import dataclass
from ...language.expression import Coordinate, Expression
from ...language.names import natural_order
from ...language.symbols import is_coordinate_like, name_of
from ...language.traversal import find


@dataclass(frozen=True)
class Parts:
    """Energies, forces and constraints of a SymPy model, in the coordinates q and their derivatives q' alone."""

    coordinates: tuple[Coordinate, ...]
    """q_i(t), in the order of the SymPy object."""
    kinetic: Expression
    """T(q, q', t)."""
    potential: Expression
    """V(q, t)."""
    forces: dict[Coordinate, Expression]
    """Coordinate -> generalized force Q_i(q, q', t); coordinates without a force are left out."""
    constraints: tuple[tuple[str, str, Expression], ...]
    """(name, kind, expression = 0); the kind is "holonomic", "velocity" or "acceleration"."""

    @property
    def inputs(self) -> tuple[Coordinate, ...]:
        """Functions of time F(t) in the expressions that are no coordinates, sorted by name."""
        expressions = (self.kinetic, self.potential, *self.forces.values(), *(e for _, _, e in self.constraints))
        functions = {F for e in expressions for F in find(e, AppliedUndef) if is_coordinate_like(F)}
        return tuple(sorted(functions.difference(self.coordinates), key=lambda F: natural_order(name_of(F))))


def named(label: str, kind: str, expressions: Sequence[Expression]) -> tuple[tuple[str, str, Expression], ...]:
    """Return (name, kind, expression) for each expression; several are numbered."""
    if len(expressions) == 1:
        return ((label, kind, expressions[0]),)
    return tuple((f"{label} {number}", kind, expression) for number, expression in enumerate(expressions, 1))


def one_line(error: Exception) -> str:
    """Return SymPy's error message without indentation and line breaks."""
    return " ".join(str(error).split())


def sympy_error(where: str, what: str, advice: str) -> ModelError:
    """Return the error for one fault of a SymPy model."""
    return ModelError("The SymPy model", [Fault(where, what, advice)])


def refuse(faults: Sequence[Fault]) -> None:
    """Raise an error with all faults of a SymPy model, if there are any."""
    if faults:
        raise ModelError("The SymPy model", faults)
