"""lienket: constrained mechanical systems, one constraint at a time.

coordinates, parameters, der     the symbols
|
System                       what is stated: energy, forces, constraints
|
.free                        A q'' = h, the system without constraints
|
.constrain(name, statement)  the same system under one more constraint

import lienket as lk
from lienket import der

m, J, r, g = lk.parameters("m J r g")
x, y, phi = lk.coordinates("x y phi")
disc = lk.System("rolling disc", [x, y, phi],
kinetic=m*(der(x)**2 + der(y)**2)/2 + J*der(phi)**2/2, potential=m*g*y)
rolling = disc.constrain("contact", y - r).constrain("rolling", x + r*phi)
"""

from .errors import LienketError, ModelError
from .model.constraint import Acceleration, Holonomic, Program, Velocity
from .model.loads import Force
from .model.symbols import coordinates, der, parameters, t
from .system import System, load, save

__version__ = "0.1.0"

__all__ = [
    "Acceleration",
    "Force",
    "Holonomic",
    "LienketError",
    "ModelError",
    "Program",
    "System",
    "Velocity",
    "coordinates",
    "der",
    "load",
    "parameters",
    "save",
    "t",
]
