"""Other ways to the constrained accelerations and multipliers of the same systems, for comparison."""

from __future__ import annotations

from importlib import import_module
from subprocess import CalledProcessError

from .andrews import Andrews, squeezer
from .chain import SIZES, Chain, closed_chain
from .measure import measured
from .peer import Peer

__all__ = ["SIZES", "Andrews", "Chain", "Peer", "cases", "closed_chain", "measured", "peers_of", "squeezer"]

SYMPY_UP_TO = 10


def cases() -> list[Chain | Andrews]:
    """All systems of the comparison."""
    return [*(closed_chain(n) for n in SIZES), squeezer()]


def peers_of(case: Chain | Andrews) -> list[Peer]:
    """Every peer that can do this case; one that is not installed is skipped with a printed line."""
    ways = [("hand_c", "prepare"), ("hand_c", "prepare_vector")]
    if isinstance(case, Chain):
        ways += [("hand_c", "prepare_recursion"), ("hand_c", "prepare_vector_recursion")]
        ways += [("pinocchio_chain", "prepare"), ("mujoco_chain", "prepare")]
    ways += [("casadi_graph", "prepare")]
    if case.n <= SYMPY_UP_TO:
        ways += [("lambdify", "prepare")]
    peers = []
    for module, function in ways:
        try:
            peers.append(getattr(import_module(f".{module}", __name__), function)(case))
        except (ImportError, OSError, CalledProcessError) as reason:
            print(f"  {module} is left out: {reason}")
    return peers
