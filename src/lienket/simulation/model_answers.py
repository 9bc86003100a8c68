"""Blocks of the answers of the model's functions, see `compiled.functions.catalogue`. No numba here."""

from __future__ import annotations

from typing import Any, NamedTuple


class EquationDerivatives(NamedTuple):
    """Answer of `derivatives`: the residuals A a - h - G^T lambda and G a + g0, and their derivatives."""

    balance: Any  # (n + s)
    by_q: Any  # (n + s, n)
    by_v: Any  # (n + s, n)
    by_t: Any  # (n + s)


class Surface(NamedTuple):
    """Answer of `surface`: mass matrix, constraint rows and constraint residuals at a state."""

    A: Any  # (n, n)
    G: Any  # (s, n)
    position: Any  # (s) residuals of position constraints
    velocity: Any  # (s) residuals of velocity constraints
    position_sizes: Any  # (s) sizes of the terms of these residuals
    velocity_sizes: Any  # (s)


class SurfaceDerivatives(NamedTuple):
    """Answer of `surface_derivatives`: derivatives of the constraint residuals."""

    position_by_t: Any  # (s)
    position_by_parameters: Any  # (s, p)
    velocity_by_q: Any  # (s, n)
    velocity_by_t: Any  # (s)
    velocity_by_parameters: Any  # (s, p)


class Lagrangian(NamedTuple):
    """Answer of `lagrangian`: quantities of a variational step at one of its ends."""

    momenta: Any  # (n) p = dT/dv
    forces: Any  # (n) dT/dq + Q
    A: Any  # (n, n)
    G: Any  # (s, n)
    position: Any  # (s) residuals of position constraints
    velocity: Any  # (s) residuals of velocity constraints


def equation_derivatives(n: int, s: int) -> EquationDerivatives:
    """Return the shapes of the blocks of `EquationDerivatives`."""
    return EquationDerivatives(balance=(n + s,), by_q=(n + s, n), by_v=(n + s, n), by_t=(n + s,))


def surface(n: int, s: int) -> Surface:
    """Return the shapes of the blocks of `Surface`."""
    return Surface(A=(n, n), G=(s, n), position=(s,), velocity=(s,), position_sizes=(s,), velocity_sizes=(s,))


def surface_derivatives(n: int, s: int, p: int) -> SurfaceDerivatives:
    """Return the shapes of the blocks of `SurfaceDerivatives`."""
    return SurfaceDerivatives(
        position_by_t=(s,),
        position_by_parameters=(s, p),
        velocity_by_q=(s, n),
        velocity_by_t=(s,),
        velocity_by_parameters=(s, p),
    )


def lagrangian(n: int, s: int) -> Lagrangian:
    """Return the shapes of the blocks of `Lagrangian`."""
    return Lagrangian(momenta=(n,), forces=(n,), A=(n, n), G=(s, n), position=(s,), velocity=(s,))
