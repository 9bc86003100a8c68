"""Parts of a LagrangesMethod: the Lagrangian split into T and V, loads, constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import sympy as sp

from ...language.expression import Coordinate, Expression
from ...language.symbols import t
from .loads import forces_of_loads, load_faults
from .parts import Parts, named, refuse, sympy_error
from .random_identity_tests import nonzero

if TYPE_CHECKING:
    from sympy.physics.mechanics import LagrangesMethod


def from_lagrange(method: LagrangesMethod) -> Parts:
    """Return the parts of a LagrangesMethod: L = T - V, Q_i from the force list, hol_coneqs and nonhol_coneqs."""
    q, frame, loads = tuple(method.q), method.inertial, tuple(method.loads)
    if loads and frame is None:
        advice = "Give the frame in which the velocities are measured: LagrangesMethod(..., frame=N)."
        raise sympy_error("LagrangesMethod", "it has loads but no inertial frame", advice)
    refuse(load_faults(loads, frame, q, ()))
    # SymPy has no public name for the Lagrangian and the holonomic constraints; `coneqs` holds first the
    # derivatives of the latter, then the nonholonomic constraints.
    kinetic, potential = _split(method._L[0], q)
    holonomic = tuple(method._hol_coneqs)
    nonholonomic = tuple(method.coneqs)[len(holonomic) :]
    constraints = named("holonomic", "holonomic", holonomic) + named("nonholonomic", "velocity", nonholonomic)
    return Parts(q, kinetic, potential, nonzero(forces_of_loads(loads, frame, q, {})), constraints)


def _split(lagrangian: Expression, coordinates: Sequence[Coordinate]) -> tuple[Expression, Expression]:
    """Return T = L2 + L1 and V = -L0, where L0 = L at q' = 0, term by term.

    The part of a kinetic energy without velocities (of a rotating frame, for example) goes into V with the opposite
    sign, which leaves L = T - V and the equations of motion unchanged.
    """
    at_rest = {q.diff(t): sp.S.Zero for q in coordinates}
    kinetic, potential = sp.S.Zero, sp.S.Zero
    for summand in sp.Add.make_args(lagrangian):
        # Only a term that mixes both parts is expanded; all others keep their form.
        mixed = summand.xreplace(at_rest) not in (summand, 0)
        term = sp.expand(summand, power_base=False, power_exp=False, log=False) if mixed else summand
        for piece in sp.Add.make_args(term):
            rest = piece.xreplace(at_rest)
            if rest.has(sp.nan, sp.zoo, sp.oo):  # no value at rest, such as log(q'): all of it belongs to T
                rest = sp.S.Zero
            kinetic += piece - rest
            potential -= rest
    return kinetic, potential
