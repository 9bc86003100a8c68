"""OfMechanism: joints, bodies and elements of a mechanism as properties of a state or a trajectory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from ..errors import LienketError

if TYPE_CHECKING:
    from ..results.mechanism import BodyValues, ElementValues, JointValues, Parts


class OfMechanism:
    """Base of State and Trajectory, which compute `_mechanism` at its first use; in a trajectory rows are times."""

    _parts: Callable[[Any], Parts] | None

    @cached_property
    def _mechanism(self) -> Parts:
        """Parts by name, by the function `_parts` of a state; a trajectory has its own."""
        parts: Parts = stated_by_formulas() if self._parts is None else self._parts(self)
        return parts

    @property
    def joints(self) -> Mapping[str, JointValues]:
        """Reaction and coordinates of each joint of a mechanism by name."""
        return self._mechanism.joints

    @property
    def bodies(self) -> Mapping[str, BodyValues]:
        """Motion of each body of a mechanism by name."""
        return self._mechanism.bodies

    @property
    def elements(self) -> Mapping[str, ElementValues]:
        """Effort of each element of a mechanism by name."""
        return self._mechanism.elements


def stated_by_formulas() -> NoReturn:
    """Raise the error of a system without bodies and joints."""
    raise LienketError(
        "This system is stated by formulas and has no joints, bodies or elements; "
        "lk.planar.Mechanism and lk.spatial.Mechanism build one that has."
    )
