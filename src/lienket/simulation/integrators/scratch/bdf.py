"""The scratch memory of BDF."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....kernels.memory.blocks import length
from ...model_answers import equation_derivatives

HIGHEST = 5
"""The highest order."""
TABLE = HIGHEST + 3
"""Rows of the table of differences."""


class BdfNumbers(NamedTuple):
    """Places in `kept`: numbers that BDF keeps from step to step."""

    BEGAN: int  # time at which the last attempt began
    LENGTH: int  # length of the steps of the table
    ORDER: int  # order of the table
    NEXT: int  # order proposed for the next step
    DONE: int  # order of the last step
    EQUAL: int  # equal steps so far
    WAITING: int  # 1: the last attempt is not in the table yet
    JACOBIAN_AT: int  # time of the Jacobian
    STALE: int  # 1: the Jacobian is to be renewed
    FACTORED: int  # shift that the matrix is factored for, 0 for none
    CONTRACTION: int  # how Newton's method contracts
    NEEDED: int  # iterations needed


numbers = BdfNumbers(*range(len(BdfNumbers._fields)))
KEPT = len(numbers)


class BdfScratch(NamedTuple):
    """Blocks of the scratch; m = 2 n + 1."""

    kept: Any  # see `BdfNumbers`
    unit: Any  # (2 n) units of the error
    D: Any  # (TABLE, m + 1) differences of the state and the power
    predicted: Any  # (m + 1) their prediction
    psi: Any  # (2 n) what the steps before make of the derivative
    d: Any  # (2 n) correction of the prediction
    x: Any  # (m) a state
    rates: Any  # (m) its rates
    values: Any  # (TABLE) values of one coordinate
    step: Any  # (2 n) a step of Newton's method
    multipliers: Any  # (s) multipliers
    by_q: Any  # (n, n) derivatives of the accelerations by positions
    by_v: Any  # (n, n) derivatives of the accelerations by velocities
    derivatives: Any  # answer of the model, see `model_answers.EquationDerivatives`
    factors: Any  # (n, n) factors of the matrix
    pivots: Any  # (n) its pivots


def bdf_scratch(n: Any, s: Any) -> Any:
    """The shapes of `BdfScratch`."""
    m, d = 2 * n + 1, 2 * n
    return BdfScratch(
        kept=(KEPT,),
        unit=(d,),
        D=(TABLE, m + 1),
        predicted=(m + 1,),
        psi=(d,),
        d=(d,),
        x=(m,),
        rates=(m,),
        values=(TABLE,),
        step=(d,),
        multipliers=(s,),
        by_q=(n, n),
        by_v=(n, n),
        derivatives=(length(equation_derivatives(n, s)),),
        factors=(n, n),
        pivots=(n,),
    )
