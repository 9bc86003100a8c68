"""Start of a run in the form kept in files: the state, and which of its numbers were given, guessed or left open."""

from __future__ import annotations

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from ...model.input.stated_start import StatedStart
from ...simulation.start.start import Start


@dataclass(frozen=True)
class StartMetadata:
    """Start in lists: t, q and v (n), the stated numbers and their marks (2 n each, positions before velocities)."""

    t: float
    q: list[float]
    v: list[float]
    stated: list[float]
    fixed: list[bool]
    guessed: list[bool]
    avoided: list[str]


def start_metadata(start: Start | None) -> StartMetadata | None:
    """Return a start in lists; None if it is not known how it was stated."""
    if start is None or start.stated is None:
        return None
    stated = start.stated
    return StartMetadata(
        start.t,
        start.q.tolist(),
        start.v.tolist(),
        np.concatenate([stated.q, stated.v]).tolist(),
        np.concatenate([stated.fixed_q, stated.fixed_v]).tolist(),
        np.concatenate([stated.guessed_q, stated.guessed_v]).tolist(),
        list(start.avoided),
    )


def start_of(metadata: StartMetadata | None, names: tuple[str, ...]) -> Start | None:
    """Return the start of a run; raise ValueError if its lists do not fit the coordinates."""
    if metadata is None:
        return None
    n = len(names)
    lists = (metadata.q, metadata.v, metadata.stated, metadata.fixed, metadata.guessed)
    if [len(x) for x in lists] != [n, n, 2 * n, 2 * n, 2 * n]:
        raise ValueError(f"its start does not have the numbers of {n} coordinates")
    if not np.isfinite([*metadata.q, *metadata.v, *metadata.stated]).all():
        raise ValueError("its start has numbers that are not finite")
    q, v, *marks = (np.array(x) for x in lists)
    stated = StatedStart(*(half for both in marks for half in (both[:n], both[n:])))
    return Start(metadata.t, names, q, v, stated=stated, avoided=tuple(metadata.avoided))
