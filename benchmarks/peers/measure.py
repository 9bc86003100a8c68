"""Minima over interleaved rounds: every peer has its turn in each round, so that slow phases of the machine hit all."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from .andrews import Andrews
from .chain import Chain
from .peer import Peer

Figures = dict[str, tuple[float, float | None]]
TURN = 1e-3


def measured(case: Chain | Andrews, peers: Sequence[Peer], rounds: int = 12) -> Figures:
    """For each peer the seconds per evaluation from Python and inside a compiled loop (None where there is none)."""
    own = {peer.name: peer.state(*case.start) for peer in peers}
    python = dict.fromkeys(own, np.inf)
    inside = dict.fromkeys(own, np.inf)
    calls = {peer.name: turns(from_python(peer, *own[peer.name], 3)) for peer in peers}
    counts = {peer.name: turns(peer.loop(10)) for peer in peers if peer.loop}
    for _ in range(rounds):
        for peer in peers:
            name = peer.name
            python[name] = min(python[name], from_python(peer, *own[name], calls[name]))
            if peer.loop:
                inside[name] = min(inside[name], peer.loop(counts[name]))
    return {name: (python[name], inside[name] if name in counts else None) for name in own}


def turns(seconds: float) -> int:
    """How many evaluations make a turn of about a millisecond."""
    return max(5, int(TURN / seconds))


def from_python(peer: Peer, q: np.ndarray, v: np.ndarray, count: int) -> float:
    """Seconds per call of `solve`."""
    begin = time.perf_counter()
    for _ in range(count):
        peer.solve(0.0, q, v)
    return (time.perf_counter() - begin) / count
