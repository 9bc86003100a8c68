"""Conversion of a system stated with sympy.physics.mechanics into energies, forces and constraints.

    LagrangesMethod   L(q, q', t), loads, constraints          T - V = L
    KanesMethod       bodies, loads, speeds u, constraints     T of the bodies, V = 0, u written in q'
    System            read as the method that forms its equations

The parts lead to SymPy's equations of motion,

    d/dt dT/dq'_i - dT/dq_i + dV/dq_i = Q_i + (reaction of the constraints)_i,

and the SymPy object is not changed. sympy.physics.mechanics is imported only when it is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import Fault
from .kane import from_kane, kane_constraints
from .lagrange import from_lagrange
from .parts import Parts, one_line, refuse, sympy_error

if TYPE_CHECKING:
    from sympy.physics.mechanics import System


def parts_of(method: object) -> Parts:
    """Return the parts of a LagrangesMethod, a KanesMethod or a System; any other object raises ModelError.

    The equations of motion need not have been formed, but a KanesMethod must know its bodies. Functions of
    time that are not coordinates (inputs) stay in the expressions.
    """
    from sympy.physics.mechanics import KanesMethod, LagrangesMethod, System

    if isinstance(method, LagrangesMethod):
        return from_lagrange(method)
    if isinstance(method, KanesMethod):
        return from_kane(method, *kane_constraints(method))
    if isinstance(method, System):
        return from_system(method)
    what = "this is not an object of sympy.physics.mechanics that states a system by energies or bodies"
    raise sympy_error(type(method).__name__, what, "Accepted are LagrangesMethod, KanesMethod and System.")


def from_system(system: System) -> Parts:
    """Return the parts of a System, read as the method that forms its equations.

    That is the method form_eoms was called with, if it was. Otherwise, without kinematical differential
    equations it is LagrangesMethod, since KanesMethod cannot form the equations, and the bodies' potential
    energies count; with them it is KanesMethod, the default of form_eoms. As that would silently drop
    potential energies, bodies that carry one are refused until form_eoms has been called with a choice.
    """
    from sympy.physics.mechanics import KanesMethod, LagrangesMethod, Lagrangian

    if system.eom_method is not None:
        return parts_of(system.eom_method)
    frame, bodies = system.frame, system.bodies
    loads = (*system.loads, *(load for actuator in system.actuators for load in actuator.to_loads()))
    holonomic, nonholonomic = system.holonomic_constraints, system.nonholonomic_constraints
    if not system.kdes:
        lagrangian = Lagrangian(frame, *bodies)
        return from_lagrange(LagrangesMethod(lagrangian, system.q, loads, bodies, frame, holonomic, nonholonomic))
    what = "it has a potential energy, which KanesMethod, the default of System, does not take into account"
    advice = "State it by loads; or call form_eoms(LagrangesMethod), which uses it, or form_eoms(), which drops it."
    refuse([Fault(f"body {body.name}", what, advice) for body in bodies if body.potential_energy != 0])
    arguments = {"kd_eqs": system.kdes, "u_auxiliary": system.u_aux, "bodies": bodies, "forcelist": loads}
    try:
        kane = KanesMethod(frame, system.q, system.u, **arguments)
    except ValueError as error:
        raise sympy_error("System", one_line(error), "Call its validate_system() for the details.") from None
    return from_kane(kane, holonomic, system.velocity_constraints, ())
