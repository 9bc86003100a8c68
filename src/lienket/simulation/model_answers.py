"""Blocks of what functions of the model answer, see `compiled.functions.catalogue`. Nothing here needs numba."""

from __future__ import annotations

from typing import Any, NamedTuple


class EquationDerivatives(NamedTuple):
    """Answer of `derivatives`: the balance A a - h - G^T lambda, G a + g0 and its derivatives."""

    balance: Any  # (n + s)
    by_q: Any  # (n + s, n)
    by_v: Any  # (n + s, n)
    by_t: Any  # (n + s)


class Surface(NamedTuple):
    """Answer of `surface`: what the constraints are at a state."""

    A: Any  # (n, n)
    G: Any  # (s, n)
    position: Any  # (s) residuals of positions
    velocity: Any  # (s) residuals of velocities


class SurfaceDerivatives(NamedTuple):
    """Answer of `surface_derivatives`."""

    position_by_t: Any  # (s)
    position_by_parameters: Any  # (s, p)
    velocity_by_q: Any  # (s, n)
    velocity_by_t: Any  # (s)
    velocity_by_parameters: Any  # (s, p)


class Lagrangian(NamedTuple):
    """Answer of `lagrangian`: what a variational step needs at one of its ends."""

    momenta: Any  # (n) p = dT/dv
    forces: Any  # (n) dT/dq + Q
    A: Any  # (n, n)
    G: Any  # (s, n)
    position: Any  # (s) residuals of positions
    velocity: Any  # (s) residuals of velocities


def equation_derivatives(n: Any, s: Any) -> Any:
    """The shapes of `EquationDerivatives`."""
    return EquationDerivatives(balance=(n + s,), by_q=(n + s, n), by_v=(n + s, n), by_t=(n + s,))


def surface(n: Any, s: Any) -> Any:
    """The shapes of `Surface`."""
    return Surface(A=(n, n), G=(s, n), position=(s,), velocity=(s,))


def surface_derivatives(n: Any, s: Any, p: Any) -> Any:
    """The shapes of `SurfaceDerivatives`."""
    return SurfaceDerivatives(
        position_by_t=(s,),
        position_by_parameters=(s, p),
        velocity_by_q=(s, n),
        velocity_by_t=(s,),
        velocity_by_parameters=(s, p),
    )


def lagrangian(n: Any, s: Any) -> Any:
    """The shapes of `Lagrangian`."""
    return Lagrangian(momenta=(n,), forces=(n,), A=(n, n), G=(s, n), position=(s,), velocity=(s,))
