"""Consistency of the stated units. A quantity without a unit, or with an unknown one, is compatible with every unit.

Numbers are compatible with every unit, and so are time and the sines of numbers: x - 2 and x - cos(t) mean 2 m and
1 m. The values of tables and Python functions have no stated units.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import sympy as sp

from ...errors import Faults
from ...language.data_functions import DataCall
from ...language.expression import Expression
from ...language.functions import BY_CLASS
from ...language.short_text import short_text
from ...language.symbols import name_of
from ...language.units import DIMENSIONLESS, SECOND, Unit, read_unit
from ..statement import Statement

_UNIT_OF_ARGUMENTS = ("abs", "min", "max")  # functions whose value has the unit of their arguments


def check_units(statement: Statement, faults: Faults) -> None:
    """Report sums of different units, arguments that are not pure numbers, and energies of different units."""
    if not statement.units:
        return
    units = _stated_units(statement)
    free, finder = statement.free, _UnitFinder(units, faults)
    energy = None
    for where, expression, factor in (
        ("kinetic", free.kinetic, DIMENSIONLESS),
        ("potential", free.potential, DIMENSIONLESS),
        ("dissipation", free.dissipation, SECOND),
        *((f"forces[{name_of(x)}]", e, units.get(x)) for x, e in zip(free.coordinates, free.forces, strict=True)),
    ):
        unit = finder.stated_unit(expression, where)
        if unit is None or factor is None:
            continue
        product = unit * factor
        if energy is None:
            energy = product
        elif not energy.agrees(product):
            expected = energy * factor ** Fraction(-1)
            faults.add(where, f"its unit is {unit}, but {expected} fits the other energies and forces")
    for constraint in statement.constraints:
        for expression in constraint.expressions:
            finder.unit(expression, f"constraint {constraint.name!r}")


def energy_unit(statement: Statement) -> Unit | None:
    """Return the unit of the energies; None if it does not follow from the stated units."""
    finder = _UnitFinder(_stated_units(statement), Faults())
    units = (finder.stated_unit(e, "") for e in (statement.free.kinetic, statement.free.potential))
    return next((unit for unit in units if unit is not None), None)


def expression_unit(statement: Statement, expression: Expression) -> Unit | None:
    """Return the unit of an expression of the system; None if it does not follow from the stated units."""
    return _UnitFinder(_stated_units(statement), Faults()).stated_unit(expression, "")


def _stated_units(statement: Statement) -> dict[Expression, Unit]:
    """Return the unit of every coordinate and parameter whose label is a known unit."""
    return {symbol: unit for symbol, label in statement.units if (unit := read_unit(label)) is not None}


class _UnitFinder:
    """Units of expressions; reports quantities whose units do not agree."""

    def __init__(self, units: dict[Expression, Unit], faults: Faults) -> None:
        self.units = units
        self.faults = faults

    def stated_unit(self, e: Expression, where: str) -> Unit | None:
        """Return the unit of a whole energy or force; None if nothing in it states one."""
        if e is None:
            return None
        unit = self.unit(e, where)
        return None if all(_is_bare(term) for term in sp.Add.make_args(e)) else unit

    def unit(self, e: Expression, where: str) -> Unit | None:
        """Return the unit of an expression; None if it is unknown, as for every number."""
        if e in self.units:
            return self.units[e]
        if isinstance(e, sp.Derivative):
            base = self.units.get(e.expr)
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

    def _common(self, terms: Iterable[Expression], where: str) -> Unit | None:
        """Return the unit that all terms share, and report terms of other units."""
        first: tuple[Expression, Unit] | None = None
        for term in terms:
            unit = self.unit(term, where)
            if unit is None or _is_bare(term):
                continue
            if first is None:
                first = (term, unit)
            elif not unit.agrees(first[1]):
                what = f"{short_text(first[0], 60)} is in {first[1]} and {short_text(term, 60)} in {unit}"
                self.faults.add(where, f"quantities of different units are added or compared: {what}")
        if first is None:
            return DIMENSIONLESS if all(_is_bare(term) for term in terms) else None
        return first[1]

    def _product(self, e: Expression, where: str) -> Unit | None:
        """Return the product of the factors' units; None if one of them is unknown."""
        total: Unit | None = DIMENSIONLESS
        for factor in e.args:
            if factor.is_number:
                continue
            unit = self.unit(factor, where)
            total = total * unit if total is not None and unit is not None else None
        return total

    def _function(self, e: Expression, where: str) -> Unit | None:
        """Return the unit of a function's value, and report arguments of the wrong unit."""
        name = BY_CLASS[e.func].name
        if name in _UNIT_OF_ARGUMENTS or name == "atan2":
            common = self._common(e.args, where)
            return common if name in _UNIT_OF_ARGUMENTS else DIMENSIONLESS
        argument = self.unit(e.args[0], where)
        if name != "sign" and argument is not None and not argument.agrees(DIMENSIONLESS):
            what = f"{name} takes a pure number or radians, but {short_text(e.args[0], 60)} is in {argument}"
            self.faults.add(where, what)
        return DIMENSIONLESS


def _is_bare(term: Expression) -> bool:
    """Return whether a term consists of numbers and functions alone, so that its unit is unstated."""
    bases = [f.base if f.is_Pow else f for f in sp.Mul.make_args(term)]
    return all(b.is_number or b.func in BY_CLASS or _bare_cases(b) for b in bases)


def _bare_cases(e: Expression) -> bool:
    """Return whether an expression is an if(...) of such terms."""
    return isinstance(e, sp.Piecewise) and all(
        _is_bare(term) for case in e.args for term in sp.Add.make_args(case.expr)
    )
