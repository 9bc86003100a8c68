"""Laws of non-ideal constraints and their identification: `lk.laws`.

Coulomb, Viscous, Exerted, Unilateral   laws for constrain(..., law=...); see `model/laws`
Law, Friction, LawForce                 bases and parts of laws of one's own; see docs/own-laws.md
expression, column, vector, flag, word  fields of laws of one's own
record                                  a force measured over time, from a file or arrays
identify, measured                      friction laws fitted to measured forces, with confidence intervals
"""

from typing import TYPE_CHECKING

from .foundation.lazy_import import lazy_attributes
from .model import laws as _laws
from .model.laws import *  # noqa: F403  # all laws of the package, and the bases of others

if TYPE_CHECKING:
    from .analysis.identification.identify import identify, measured
    from .model.measurements import record

__all__ = ["identify", "measured", "record"]
__all__ += _laws.__all__

_MODULE_OF = {
    "identify": "analysis.identification.identify",
    "measured": "analysis.identification.identify",
    "record": "model.measurements",
}


__getattr__ = lazy_attributes(__name__, _MODULE_OF, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
