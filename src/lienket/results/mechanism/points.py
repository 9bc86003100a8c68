"""Place of any point of a body over time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array
from ...model.bodies import GROUND, Place
from .parts import Parts


def point_of(parts: Parts, place: Place, numbers: Mapping[str, float], times: Array) -> Array:
    """Return the place of a point in the axes of the ground, one row for each time (2 or 3 components)."""
    r = np.array([_values(e, numbers, times) for e in place.position])  # 3 x N
    if place.body == GROUND:
        planar = not any(np.any(x) for x in r[2:]) and all(b.position.shape[-1] == 2 for b in parts.bodies.values())
        return r[:2].T.copy() if planar else r.T.copy()
    body = parts.bodies[place.body]
    if body.position.shape[-1] == 2:
        c, s = np.cos(body.rotation), np.sin(body.rotation)
        return body.position + np.stack([c * r[0] - s * r[1], s * r[0] + c * r[1]], axis=-1)
    return body.position + np.einsum("...ij,j...->...i", body.rotation, r)


def _values(expression: object, numbers: Mapping[str, float], times: Array) -> Array:
    """Return an expression of parameters and time at the times."""
    symbols = {str(s): s for s in expression.free_symbols}  # type: ignore[attr-defined]
    missing = [name for name in symbols if name not in numbers and name != "t"]
    if missing:
        raise LienketError(f"The place contains {', '.join(missing)}, which this system does not have.")
    at = expression.xreplace({s: numbers[name] for name, s in symbols.items() if name != "t"})  # type: ignore[attr-defined]
    if "t" not in symbols:
        return np.full(len(times), float(at))
    return np.array([float(at.xreplace({symbols["t"]: float(t)})) for t in times])
