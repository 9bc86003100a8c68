"""Scratch memory of a step across a singular position. This module does not need numba."""

from __future__ import annotations

from typing import Any, NamedTuple

NODES = 48  # [nodes] sample points of a bridging step
COEFFICIENTS = 22  # [1] most Legendre coefficients of the accelerations over a bridging step
TERMS, FITTED_NODES, FITTED_TERMS = 0, 1, 2  # places in `in_use`


class BridgeScratch(NamedTuple):
    """Blocks of `bridge`."""

    values: Any  # (NODES, n + 1) rates at the nodes: accelerations and power
    coefficients: Any  # (COEFFICIENTS, n + 1) of the polynomial fitted to them
    difference: Any  # (COEFFICIENTS, n + 1) of its difference to the polynomial with two coefficients fewer
    fit: Any  # (NODES, COEFFICIENTS) Legendre polynomials at the nodes
    triangle: Any  # (COEFFICIENTS, COEFFICIENTS) triangular factor of the least-squares fit
    far: Any  # (NODES) 1 for nodes far enough from the singular position, else 0
    integrals: Any  # (COEFFICIENTS, 2) integral and twofold integral of each polynomial at the start of the step
    polynomials: Any  # (COEFFICIENTS + 2) Legendre polynomials at one point
    span: Any  # (2) the polynomial holds from span[0] before the start of the step to span[1] after it
    passed: Any  # (1) length of the last step across a singular position
    left_out: Any  # (2) first and last time after the start between which no node is used, if first <= last
    in_use: Any  # (3) numbers of coefficients that are not 0, of nodes in `fit`, of its columns that are orthonormal


def bridge_scratch(n: int) -> BridgeScratch:
    """Return the shapes of the blocks of `BridgeScratch`."""
    return BridgeScratch(
        values=(NODES, n + 1),
        coefficients=(COEFFICIENTS, n + 1),
        difference=(COEFFICIENTS, n + 1),
        fit=(NODES, COEFFICIENTS),
        triangle=(COEFFICIENTS, COEFFICIENTS),
        far=(NODES,),
        integrals=(COEFFICIENTS, 2),
        polynomials=(COEFFICIENTS + 2,),
        span=(2,),
        passed=(1,),
        left_out=(2,),
        in_use=(3,),
    )
