"""Types of the arguments with which a user states numbers, starts, states and times.

The readers of a request take `object`: they report what is none of these as a fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:  # annotations are not evaluated
    from collections.abc import Callable, Mapping, Sequence
    from typing import SupportsFloat

    from ..foundation.arrays import Array
    from ..language.expression import Expression
    from ..simulation.start.start import Start


class StateObject(Protocol):
    """Object with its own positions q (n), such as a Start, a State or an Equilibrium."""

    @property
    def q(self) -> Array:
        """Positions."""


Key: TypeAlias = "str | Expression"  # name, or symbol, coordinate, derivative
Numbers: TypeAlias = "Mapping[Any, SupportsFloat] | Sequence[SupportsFloat] | Array"  # by key, or in order
StateLike: TypeAlias = "Numbers | StateObject"
StartLike: TypeAlias = "Mapping[Any, SupportsFloat] | Sequence[Numbers] | Start"  # by key, a pair (q, v), a solved one
Times: TypeAlias = "Sequence[float] | Array"
Tolerance: TypeAlias = "float | Sequence[float] | Array"  # one for all, or one for each position and velocity
Progress: TypeAlias = "bool | Callable[[float], Any] | None"
