"""lienket: constrained mechanical systems, one constraint at a time.

coordinates, parameters, der     the symbols
table, function              measured curves and Python functions, called in formulas: road(t)
|
System                       what is stated: energy, forces, constraints
|
.free                        A q'' = h, the system without constraints
|
.constrain(name, statement)  the same system under one more constraint; lk.catalogue has ready ones
|
.stages()                    what each constraint did: verdict, freedom left, D, C, f
.equations(form)             "full", "reduced", "pseudovelocity", "multipliers"
.reactions(), .influence()   the reaction of each constraint, and what it does to the others
.at(q, v)                    all of it in numbers at one state, with an audit
.compile()                   machine code: accelerations and reactions of many states, C source

import lienket as lk
from lienket import der

m, J, r, g = lk.parameters("m J r g")
x, y, phi = lk.coordinates("x y phi")
disc = lk.System("rolling disc", [x, y, phi],
kinetic=m*(der(x)**2 + der(y)**2)/2 + J*der(phi)**2/2, potential=m*g*y)
rolling = disc.constrain("contact", y - r).constrain("rolling", x + r*phi)
"""

from .constraints import catalogue
from .errors import LienketError, ModelError
from .model.constraint import Acceleration, Holonomic, Program, Velocity
from .model.given_functions import function, table
from .model.loads import Force
from .model.symbols import coordinates, der, parameters, t
from .system import System, load, save
from .version import __version__ as __version__

__all__ = [
    "Acceleration",
    "Force",
    "Holonomic",
    "LienketError",
    "ModelError",
    "Program",
    "System",
    "Velocity",
    "catalogue",
    "coordinates",
    "der",
    "function",
    "load",
    "parameters",
    "save",
    "t",
    "table",
]
