"""Start of a motion: a state on the constraints, and the constraints that act there."""

from __future__ import annotations

from math import isfinite

from ..errors import LienketError, StartError
from ..foundation.arrays import Array
from ..model.input.stated_start import StatedStart
from ..simulation.start.start import Start, consistent_start
from .numeric_system import NumericSystem


def solve_start(system: NumericSystem, stated: StatedStart, t: float, parameters: Array, others: bool) -> Start:
    """Return the start nearest to the stated numbers, which penetrates no unilateral contact.

    Raises StartError if there is none; it names tables that are read beyond their points.
    """
    try:
        if any(contact.unilateral for contact in system.contacts):
            from .contacts.starts import ContactStart

            return ContactStart(system, stated, t, parameters).solve(others)
        return consistent_start(system.model(system.of_a_start), system.names, stated, t, parameters, others)
    except StartError as error:
        raise explained(error, system, stated, t, parameters) from None


def explained(error: StartError, system: NumericSystem, stated: StatedStart, t: float, parameters: Array) -> StartError:
    """Return the error of a start, naming the joint at which a loop cannot close, or tables that end."""
    if system.mechanism is None:
        return naming_tables(error, system, stated, t, parameters)
    from .bodies.gap import with_gap  # with formulas

    return with_gap(error, system, stated, t, parameters)


def naming_tables(
    error: StartError, system: NumericSystem, stated: StatedStart, t: float, parameters: Array
) -> StartError:
    """Return the error of a start, with the tables that are read beyond their points if a residual has no number."""
    if error.residuals and all(map(isfinite, error.residuals.values())):
        return error
    from .table_ends import tables_beyond  # with formulas

    beyond = tables_beyond(system.code.statement(), t, stated.q, stated.v, parameters)
    return StartError(" ".join([error.message, *beyond]), error.residuals, error.given, error.advice)


def active_at_start(
    system: NumericSystem, t: float, q: Array, v: Array, parameters: Array
) -> tuple[tuple[int, ...], Array]:
    """Return the constraints that act at the start of a run, and the parameters with the signs of contacts set.

    Raises LienketError where the laws of friction or the drives of programs admit no motion.
    """
    active = system.all_stated
    try:
        if system.contacts:
            from .contacts.modes import active_constraints

            active, parameters = active_constraints(system, t, q, v, parameters)
        if system.has_programs:
            from .state import state_under

            _ = state_under(system, active, t, q, v, parameters).drives
    except LienketError as error:
        if not system.has_programs:
            raise
        from .programs import unrealisable  # with formulas

        raise LienketError(unrealisable(system.code.stated()) or str(error)) from None
    return active, parameters
