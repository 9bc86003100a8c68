"""The memory of a step over a singular position. Nothing here needs numba."""

from __future__ import annotations

from typing import Any, NamedTuple

NODES, COEFFICIENTS = 32, 11


class BridgeScratch(NamedTuple):
    """Blocks of `bridge`."""

    values: Any  # (NODES, n + 1) rates at the nodes: accelerations and power
    coefficients: Any  # (COEFFICIENTS, n + 1) of the polynomial through them
    fit: Any  # (NODES, COEFFICIENTS) polynomials at the nodes
    triangle: Any  # (COEFFICIENTS, COEFFICIENTS) of the least squares
    far: Any  # (NODES) 1 for nodes far enough from the singular position
    polynomials: Any  # (COEFFICIENTS + 2) Legendre's polynomials at one place


def bridge_scratch(n: Any) -> Any:
    """The shapes of `BridgeScratch`."""
    return BridgeScratch(
        values=(NODES, n + 1),
        coefficients=(COEFFICIENTS, n + 1),
        fit=(NODES, COEFFICIENTS),
        triangle=(COEFFICIENTS, COEFFICIENTS),
        far=(NODES,),
        polynomials=(COEFFICIENTS + 2,),
    )
