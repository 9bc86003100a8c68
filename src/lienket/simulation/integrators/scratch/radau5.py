"""The scratch memory of Radau5."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....kernels.memory.blocks import length
from ...model_answers import equation_derivatives


class Radau5Numbers(NamedTuple):
    """Places in `kept`: numbers that Radau5 keeps from step to step."""

    BEGAN: int  # time at which the last attempt began
    LENGTH: int  # its length
    ERROR: int  # its error
    KNOWN: int  # 1: a step before is known
    LENGTH_BEFORE: int  # length of the step before
    ERROR_BEFORE: int  # error of the step before
    LOOSE: int  # factor between the error and what is allowed of it
    JACOBIAN_AT: int  # time of the Jacobian
    FACTORED: int  # length of the step that the matrices are factored for, 0 for none
    CONTRACTION: int  # how Newton's method contracts
    FIT: int  # error left by Newton's method / its last correction
    NEEDED: int  # iterations needed


numbers = Radau5Numbers(*range(len(Radau5Numbers._fields)))
KEPT = len(numbers)


class Radau5Scratch(NamedTuple):
    """Blocks of the scratch; m = 2 n + 1."""

    kept: Any  # see `Radau5Numbers`
    unit: Any  # (2 n) units of the error
    before: Any  # (3, 2 n) polynomial of the step before
    z: Any  # (3, m) stages
    w: Any  # (3, 2 n) stages transformed
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


def radau5_scratch(n: Any, s: Any) -> Any:
    """The shapes of `Radau5Scratch`."""
    m, d = 2 * n + 1, 2 * n
    return Radau5Scratch(
        kept=(KEPT,),
        unit=(d,),
        before=(3, d),
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
