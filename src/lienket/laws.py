"""Laws of non-ideal constraints and their identification: `lk.laws`.

Coulomb, Viscous, Exerted, Unilateral   laws for constrain(..., law=...); see `model/laws`
Law, Friction, LawForce                 bases and parts of laws of one's own; see docs/own-laws.md
expression, column, flag, word          fields of laws of one's own
record                                  a force measured over time, from a file or arrays
identify, measured                      friction laws fitted to measured forces, with confidence intervals
"""

from typing import TYPE_CHECKING, Any

from .foundation.lazy_import import lazy_module
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


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'lienket.laws' has no attribute {name!r}")
    attribute = getattr(lazy_module(f"lienket.{_MODULE_OF[name]}"), name)
    globals()[name] = attribute
    return attribute


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
