"""Bodies and joints by transmission matrices (paper 003, its reference 8; theory 11), planar so far.

Link              a body joined to the preceding one: t_i, and Omega_i with dt_i = t_i Omega_i
KinematicChain    T = t_1 ... t_k with its derivatives; positions, velocities and accelerations of points
Body              mass on a chain, with pseudo-inertia H; A, velocity terms, T and V of several bodies
forces            generalized forces of forces at points and of moments

The results are SymPy expressions for a System:

    arm = KinematicChain([revolute(phi1), revolute(phi2, at=(l, 0))])
    load = [particle(arm, m, at=(b*l, 0))]
    lk.System("arm", [phi1, phi2], kinetic=kinetic_energy(load), potential=potential_energy(load, (0, -g)),
              forces=total(force_at(arm, (b*l, 0), (F, 0)), moment_on(arm, M)))
"""

from .bodies import Body, particle, rigid_body
from .dynamics import inertia_matrix, kinetic_energy, potential_energy, velocity_terms
from .forces import force_at, moment_between, moment_on, total
from .joints import Link, prismatic, revolute, rigid
from .kinematic_chain import KinematicChain
from .transmission import Transmission

__all__ = [
    "Body",
    "KinematicChain",
    "Link",
    "Transmission",
    "force_at",
    "inertia_matrix",
    "kinetic_energy",
    "moment_between",
    "moment_on",
    "particle",
    "potential_energy",
    "prismatic",
    "revolute",
    "rigid",
    "rigid_body",
    "total",
    "velocity_terms",
]
