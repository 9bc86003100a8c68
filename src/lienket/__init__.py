"""lienket: constrained mechanical systems, one constraint at a time.

coordinates, parameters, der  the symbols
inputs, Sampled              functions of time that are given when numbers are asked for; controllers
table, function              measured curves and Python functions, called in formulas: road(t)
|
System                       the statement: energies, forces, constraints
|
.free                        A q'' = h, the system without constraints
|
.constrain(name, statement)  the system with one more constraint; lk.catalogue has common ones, and
                             law=lk.Coulomb(...) or another of lk.laws makes it non-ideal
|
.stages()                    effect of each constraint: verdict, remaining degrees of freedom, D, C, f
.equations(form)             "full", "reduced", "pseudovelocity", "multipliers"
.reactions(), .influence()   the reaction of each constraint, and its effect on the other reactions
.at(q, v)                    numerical values of all quantities at one state, with an audit
.compile()                   machine code: accelerations and reactions of many states, C source

import lienket as lk
from lienket import der

m, J, r, g = lk.parameters("m J r g")
x, y, phi = lk.coordinates("x y phi")
disc = lk.System("rolling disc", [x, y, phi],
kinetic=m*(der(x)**2 + der(y)**2)/2 + J*der(phi)**2/2, potential=m*g*y)
rolling = disc.constrain("contact", y - r).constrain("rolling", x + r*phi)

Names are imported on first use, so that `lienket --help` does not wait for SymPy.
"""

from typing import TYPE_CHECKING

from .foundation.lazy_import import lazy_attributes
from .version import __version__ as __version__

if TYPE_CHECKING:
    from . import laws, planar, spatial
    from .constraints import catalogue
    from .errors import LienketError, ModelError
    from .files import load, save
    from .kernels.state import State
    from .language.data_functions import function, table
    from .language.input_functions import Sampled, inputs
    from .language.symbols import coordinates, der, parameters, t
    from .model.constraint import Acceleration, Holonomic, Program, Velocity
    from .model.event import Event
    from .model.force import Force
    from .model.laws import Coulomb
    from .model.reaction_symbols import multiplier, reaction
    from .system import System
    from .trajectory import Trajectory

__all__ = [
    "Acceleration",
    "Coulomb",
    "Event",
    "Force",
    "Holonomic",
    "LienketError",
    "ModelError",
    "Program",
    "Sampled",
    "State",
    "System",
    "Trajectory",
    "Velocity",
    "catalogue",
    "coordinates",
    "der",
    "function",
    "inputs",
    "laws",
    "load",
    "multiplier",
    "parameters",
    "planar",
    "reaction",
    "save",
    "spatial",
    "t",
    "table",
]

_MODULE_OF = {
    "Acceleration": "model.constraint",
    "Coulomb": "model.laws",
    "Event": "model.event",
    "Force": "model.force",
    "Holonomic": "model.constraint",
    "LienketError": "errors",
    "ModelError": "errors",
    "Program": "model.constraint",
    "Sampled": "language.input_functions",
    "State": "kernels.state",
    "System": "system",
    "Trajectory": "trajectory",
    "Velocity": "model.constraint",
    "catalogue": "constraints.catalogue",
    "coordinates": "language.symbols",
    "der": "language.symbols",
    "function": "language.data_functions",
    "inputs": "language.input_functions",
    "laws": "laws",
    "load": "files",
    "multiplier": "model.reaction_symbols",
    "parameters": "language.symbols",
    "planar": "planar",
    "reaction": "model.reaction_symbols",
    "save": "files",
    "spatial": "spatial",
    "t": "language.symbols",
    "table": "language.data_functions",
}


__getattr__ = lazy_attributes(__name__, _MODULE_OF, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
