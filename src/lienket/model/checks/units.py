"""Do the units that were given fit together? What has no unit, or an unknown one, fits everything.

Numbers fit everything, and so do time and the sines of numbers: x - 2 and x - cos(t) mean 2 m and 1 m. So do tables
and Python functions, whose units nobody has said.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from ...language.data_functions import DataCall
from ...language.faults import Faults, short_text
from ...language.functions import BY_CLASS
from ...language.symbols import name_of
from ...language.units import NONE, SECOND, Unit, read_unit
from ..statement import Statement

_SAME = ("abs", "min", "max")  # the value has the unit of the arguments


def check_units(statement: Statement, faults: Faults) -> None:
    """Note terms that cannot be added, arguments that are no pure numbers, and energies that do not fit."""
    if not statement.units:
        return
    known = _known(statement)
    free, checker = statement.free, _Checker(known, faults)
    energy = None
    for where, expression, factor in (
        ("kinetic", free.kinetic, NONE),
        ("potential", free.potential, NONE),
        ("dissipation", free.dissipation, SECOND),
        *((f"forces[{name_of(x)}]", e, known.get(x)) for x, e in zip(free.coordinates, free.forces, strict=True)),
    ):
        unit = checker.stated_unit(expression, where)
        if unit is None or factor is None:
            continue
        product = unit * factor
        if energy is None:
            energy = product
        elif not energy.agrees(product):
            wanted = energy * factor ** Fraction(-1)
            faults.add(where, f"its unit is {unit}, but {wanted} fits the other energies and forces")
    for constraint in statement.constraints:
        for expression in constraint.expressions:
            checker.unit(expression, f"constraint {constraint.name!r}")


def energy_unit(statement: Statement) -> Unit | None:
    """The unit of the energies; None if it does not follow from the units that were given."""
    checker = _Checker(_known(statement), Faults())
    found = (checker.stated_unit(e, "") for e in (statement.free.kinetic, statement.free.potential))
    return next((unit for unit in found if unit is not None), None)


def _known(statement: Statement) -> dict[Any, Unit]:
    return {symbol: unit for symbol, label in statement.units if (unit := read_unit(label)) is not None}


class _Checker:
    """Finds the unit of an expression; what does not fit becomes a fault."""

    def __init__(self, known: dict[Any, Unit], faults: Faults) -> None:
        self.known = known
        self.faults = faults

    def stated_unit(self, e: Any, where: str) -> Unit | None:
        """The unit of a whole energy or force; None where it is left unsaid."""
        if e is None:
            return None
        unit = self.unit(e, where)
        return None if all(_is_bare(term) for term in sp.Add.make_args(e)) else unit

    def unit(self, e: Any, where: str) -> Unit | None:
        """The unit of an expression; None if it is not known, as for every number."""
        if e in self.known:
            return self.known[e]
        if isinstance(e, sp.Derivative):
            base = self.known.get(e.expr)
            return base and base * SECOND ** Fraction(-int(e.derivative_count))
        if not e.args or e.is_Number:
            return None
        if e.is_Add:
            return self._common(e.args, where)
        if e.is_Mul:
            return self._product(e, where)
        if e.is_Pow:
            base = self.unit(e.base, where)
            return base ** Fraction(int(e.exp.p), int(e.exp.q)) if base and e.exp.is_Rational else None
        if isinstance(e, sp.Piecewise):
            return self._common([branch.expr for branch in e.args], where)
        if isinstance(e, DataCall):
            for argument in e.arguments:
                self.unit(argument, where)  # sums inside must fit together
            return None
        return self._function(e, where) if e.func in BY_CLASS else None

    def _common(self, terms: Any, where: str) -> Unit | None:
        found: tuple[Any, Unit] | None = None
        for term in terms:
            unit = self.unit(term, where)
            if unit is None or _is_bare(term):
                continue
            if found is None:
                found = (term, unit)
            elif not unit.agrees(found[1]):
                what = f"{short_text(found[0], 60)} is in {found[1]} and {short_text(term, 60)} in {unit}"
                self.faults.add(where, f"quantities of different units are added or compared: {what}")
        if found is None:
            return NONE if all(_is_bare(term) for term in terms) else None
        return found[1]

    def _product(self, e: Any, where: str) -> Unit | None:
        total: Unit | None = NONE
        for factor in e.args:
            if factor.is_number:
                continue
            unit = self.unit(factor, where)
            total = total * unit if total is not None and unit is not None else None
        return total

    def _function(self, e: Any, where: str) -> Unit | None:
        name = BY_CLASS[e.func].name
        if name in _SAME or name == "atan2":
            common = self._common(e.args, where)
            return common if name in _SAME else NONE
        argument = self.unit(e.args[0], where)
        if name != "sign" and argument is not None and not argument.agrees(NONE):
            what = f"{name} takes a pure number or radians, but {short_text(e.args[0], 60)} is in {argument}"
            self.faults.add(where, what)
        return NONE


def _is_bare(term: Any) -> bool:
    """Whether a term is made of numbers and functions alone, so that its unit is left unsaid."""
    bases = [f.base if f.is_Pow else f for f in sp.Mul.make_args(term)]
    return all(b.is_number or b.func in BY_CLASS or _bare_cases(b) for b in bases)


def _bare_cases(e: Any) -> bool:
    """Whether it is an if(...) of such terms."""
    return isinstance(e, sp.Piecewise) and all(
        _is_bare(term) for case in e.args for term in sp.Add.make_args(case.expr)
    )
