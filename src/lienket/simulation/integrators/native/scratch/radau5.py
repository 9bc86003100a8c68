"""Scratch memory of Radau5."""

from __future__ import annotations

from typing import Any, NamedTuple

from .....kernels.memory.blocks import length
from ....model_answers import equation_derivatives


class Radau5Numbers(NamedTuple):
    """Indices into `memory`, the numbers that Radau5 keeps from step to step."""

    ATTEMPT: int  # number of steps before the last attempt
    LENGTH: int  # step size of the last attempt
    ERROR: int  # error of the last attempt
    HAS_PREVIOUS: int  # 1: the polynomial of the previous step is available
    PREVIOUS_LENGTH: int  # step size of the previous step
    PREVIOUS_ERROR: int  # error of the previous step
    ERROR_ALLOWANCE: int  # largest error estimate accepted, in tolerances
    JACOBIAN_STEP: int  # number of steps before the Jacobian was evaluated
    FACTORED: int  # step size for which the matrices are factored, 0 for none
    CONTRACTION: int  # ratio of successive corrections of Newton's method
    REMAINDER: int  # error left by Newton's method / its last correction
    ITERATIONS: int  # iterations that Newton's method needed


numbers = Radau5Numbers(*range(len(Radau5Numbers._fields)))
MEMORY_SIZE = len(numbers)


class Radau5Scratch(NamedTuple):
    """Blocks of the scratch memory; m = 2 n + 1."""

    memory: Any  # see `Radau5Numbers`
    unit: Any  # (2 n) reciprocals of the tolerances
    previous: Any  # (3, 2 n) coefficients of the polynomial of the previous step
    z: Any  # (3, m) stage values z, relative to the state NOW
    w: Any  # (3, 2 n) transformed stage values w = T^-1 z
    rates: Any  # (3, m) rates of the stages
    correction: Any  # (3, 2 n) corrections of Newton's method
    multipliers: Any  # (3, s) multipliers of the stages
    x: Any  # (m) a state
    by_q: Any  # (n, n) derivatives of the accelerations by positions
    by_v: Any  # (n, n) derivatives of the accelerations by velocities
    derivatives: Any  # answer of the model, see `model_answers.EquationDerivatives`
    real: Any  # (n, n) factors of the real matrix
    real_pivots: Any  # (n) its pivots
    complex_r: Any  # (n, n) factors of the complex matrix, real part
    complex_i: Any  # (n, n) factors of the complex matrix, imaginary part
    pivots: Any  # (n) its pivots


def radau5_scratch(n: int, s: int) -> Radau5Scratch:
    """Return the shapes of the blocks of `Radau5Scratch`."""
    m, d = 2 * n + 1, 2 * n
    return Radau5Scratch(
        memory=(MEMORY_SIZE,),
        unit=(d,),
        previous=(3, d),
        z=(3, m),
        w=(3, d),
        rates=(3, m),
        correction=(3, d),
        multipliers=(3, s),
        x=(m,),
        by_q=(n, n),
        by_v=(n, n),
        derivatives=(length(equation_derivatives(n, s)),),
        real=(n, n),
        real_pivots=(n,),
        complex_r=(n, n),
        complex_i=(n, n),
        pivots=(n,),
    )
