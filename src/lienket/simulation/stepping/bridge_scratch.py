"""Scratch memory of a step across a singular position. This module does not need numba."""

from __future__ import annotations

from typing import Any, NamedTuple

NODES = 32  # [nodes] sample points of a bridging step
COEFFICIENTS = 11  # [1] Legendre coefficients of the accelerations over a bridging step


class BridgeScratch(NamedTuple):
    """Blocks of `bridge`."""

    values: Any  # (NODES, n + 1) rates at the nodes: accelerations and power
    coefficients: Any  # (COEFFICIENTS, n + 1) of the polynomial fitted to them
    fit: Any  # (NODES, COEFFICIENTS) Legendre polynomials at the nodes
    triangle: Any  # (COEFFICIENTS, COEFFICIENTS) triangular factor of the least-squares fit
    far: Any  # (NODES) 1 for nodes far enough from the singular position, else 0
    polynomials: Any  # (COEFFICIENTS + 2) Legendre polynomials at one point


def bridge_scratch(n: int) -> BridgeScratch:
    """Return the shapes of the blocks of `BridgeScratch`."""
    return BridgeScratch(
        values=(NODES, n + 1),
        coefficients=(COEFFICIENTS, n + 1),
        fit=(NODES, COEFFICIENTS),
        triangle=(COEFFICIENTS, COEFFICIENTS),
        far=(NODES,),
        polynomials=(COEFFICIENTS + 2,),
    )
