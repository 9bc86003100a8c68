"""What an element exerts."""

from __future__ import annotations

from ...foundation.frozen_dataclass import dataclass
from ..dynamics import Wrench
from ..scalars.algebra import Scalar


@dataclass(frozen=True, eq=False)
class Load:
    """Wrenches on bodies about their origins, efforts along coordinates of joints by name, and the energy behind them.

    Efforts act on the second body of a joint, the opposite on the first. `potential` and Rayleigh's `dissipation` are
    those of the whole load; a load without either is applied from outside. `effort` is what results show: tension,
    effort along the coordinate.
    """

    wrenches: tuple[tuple[str, Wrench], ...] = ()
    efforts: tuple[tuple[str, Scalar], ...] = ()
    potential: Scalar | None = None
    dissipation: Scalar | None = None
    effort: Scalar = 0
