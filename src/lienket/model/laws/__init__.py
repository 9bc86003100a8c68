"""Laws of constraints that are not ideal: constrain(name, statement, law=...).

    lk.Coulomb(mu, slip=...)      friction driven by the reaction of the constraint; also lk.laws.Coulomb
    lk.laws.Viscous(b, slip=...)  a force against the sliding velocity
    lk.laws.Exerted({x: c})       a given generalized force c(q, q', t), measured for example
    lk.laws.Unilateral(e)         a contact that pushes and does not pull, with restitution
    lk.laws.Friction, Law         bases of a user's own laws: docs/own-laws.md

An ideal constraint exerts r = G^T lambda. With a law r = c + G^T lambda, and only the part of c along the motions
that the constraints permit affects the motion: q'' = q''_ideal + W c (theory 9).
"""

from .coulomb import Coulomb
from .exerted import Exerted
from .fields import column, expression, flag, vector, word
from .friction import Friction
from .law import Law
from .law_force import LawForce
from .unilateral import Unilateral
from .viscous import Viscous

LAWS: tuple[type[Law], ...] = (Coulomb, Viscous, Exerted, Unilateral)
"""Laws of the package, in the order in which messages name them; a model file knows them by their `kind`."""

__all__ = [
    "LAWS",
    "Coulomb",
    "Exerted",
    "Friction",
    "Law",
    "LawForce",
    "Unilateral",
    "Viscous",
    "column",
    "expression",
    "flag",
    "vector",
    "word",
]
