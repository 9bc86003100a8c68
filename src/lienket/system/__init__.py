"""System, the user's object: a thin face over the statement and the pipeline, without mathematics of its own."""

from __future__ import annotations

from .algebra import Algebra
from .asking import Asking
from .driving import Driving
from .moving import Moving
from .varied import Varied


class System(Algebra, Moving, Asking, Varied, Driving):
    """A mechanical system with generalized coordinates and the constraints added to it so far.

    name         any text
    coordinates  the generalized coordinates q_i(t), see `lk.coordinates`
    kinetic      T(q, q', t), at most quadratic in the velocities; or
    inertia      A(q, t) alone, n x n and symmetric, for T = q'^T A q'/2
    potential    V(q, t)
    forces       {coordinate: generalized force Q_i(q, q', t)}
    loads        forces applied at points, see `lk.Force`
    dissipation  Rayleigh's function R(q, q', t); its force is -dR/dq'
    values       default numbers of parameters, by symbol or name
    units        labels of coordinates and parameters, by symbol or name

    A system never changes: `constrain` and `release` give new ones. Two systems are equal if they
    state the same. All faults of a statement are reported together in one ModelError.
    """

    __slots__ = ()
