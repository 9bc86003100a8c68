"""Class method of System that takes over a system stated with `sympy.physics.mechanics`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import System


def from_sympy(
    cls: type[System], method: Any, name: str = "from SymPy", *, values: Mapping[Any, Any] | None = None
) -> System:
    """Return a system that is stated with `sympy.physics.mechanics`.

    Parameters
    ----------
    method : LagrangesMethod, KanesMethod or System
        System in SymPy. Its constraints are named "holonomic 1", "nonholonomic 1" and so on; functions of time
        that are no coordinates become inputs.
    name : str
        Name of the system.
    values : mapping, optional
        Default numbers of parameters, by symbol or name.

    Returns
    -------
    System
        System with equal equations of motion.

    Raises
    ------
    ModelError
        With all faults of the statement.

    Examples
    --------
    >>> from sympy.physics.mechanics import LagrangesMethod
    >>> m, c, x = *lk.parameters("m c"), lk.coordinates("x")
    >>> lk.System.from_sympy(LagrangesMethod(m*der(x)**2/2 - c*x**2/2, [x]), "spring")
    System 'spring' in x
      T = m*x'^2/2
      V = c*x^2/2
    """
    from ..model.from_sympy import parts_of
    from ..model.input.system import read_system

    parts = parts_of(method)
    return cls.from_statement(
        read_system(
            name,
            parts.coordinates,
            kinetic=parts.kinetic,
            potential=parts.potential,
            forces=parts.forces,
            values=values,
            constraints=[(label, expression) for label, _, expression in parts.constraints],
            inputs=parts.inputs,
        )
    )
