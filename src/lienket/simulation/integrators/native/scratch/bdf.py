"""Scratch memory of BDF."""

from __future__ import annotations

from typing import Any, NamedTuple

from .....kernels.memory.blocks import length
from ....model_answers import equation_derivatives

BDF_HIGHEST_ORDER = 5  # [1] highest order of the formulas
DIFFERENCE_ROWS = BDF_HIGHEST_ORDER + 3  # [rows] of the table of differences


class BdfNumbers(NamedTuple):
    """Indices into `memory`, the numbers that BDF keeps from step to step."""

    ATTEMPT: int  # number of steps before the last attempt
    LENGTH: int  # step size of the table of differences
    ORDER: int  # order of the table of differences
    NEXT_ORDER: int  # order proposed for the next step
    DENSE_ORDER: int  # order of the step that `ended` belongs to
    EQUAL_STEPS: int  # consecutive steps of equal length and order
    JACOBIAN_STEP: int  # number of steps before the Jacobian was evaluated
    STALE: int  # 1: the Jacobian must be evaluated again
    INVERTED: int  # shift for which the matrix is inverted, 0 for none
    CONTRACTION: int  # ratio of successive corrections of Newton's method
    KNOWN_STATES: int  # states before the last one in the table that belong to the motion; before a start none does
    ITERATIONS: int  # iterations that Newton's method needed


numbers = BdfNumbers(*range(len(BdfNumbers._fields)))
MEMORY_SIZE = len(numbers)


class BdfScratch(NamedTuple):
    """Blocks of the scratch memory; m = 2 n + 1."""

    memory: Any  # see `BdfNumbers`
    unit: Any  # (2 n) reciprocals of the tolerances
    D: Any  # (DIFFERENCE_ROWS, m + 1) backward differences of the state and the power
    ended: Any  # (BDF_HIGHEST_ORDER + 1, m) differences of the state at the end of the step, for its dense output
    predicted: Any  # (m + 1) their prediction
    psi: Any  # (2 n) contribution of previous steps to the derivative
    d: Any  # (2 n) correction of the prediction
    x: Any  # (m) a state
    rates: Any  # (m) its rates
    values: Any  # (DIFFERENCE_ROWS) values of one coordinate
    step: Any  # (2 n) a step of Newton's method
    multipliers: Any  # (s) multipliers
    by_q: Any  # (n, n) derivatives of the accelerations by positions
    by_v: Any  # (n, n) derivatives of the accelerations by velocities
    derivatives: Any  # answer of the model, see `model_answers.EquationDerivatives`
    inverse: Any  # (n, n) transposed inverse of the matrix of Newton's method
    coupling: Any  # (n, n) transposed by_q/c
    right: Any  # (n) right side for the velocities
    pivots: Any  # (n) pivots of the inversion


def bdf_scratch(n: int, s: int) -> BdfScratch:
    """Return the shapes of the blocks of `BdfScratch`."""
    m, d = 2 * n + 1, 2 * n
    return BdfScratch(
        memory=(MEMORY_SIZE,),
        unit=(d,),
        D=(DIFFERENCE_ROWS, m + 1),
        ended=(BDF_HIGHEST_ORDER + 1, m),
        predicted=(m + 1,),
        psi=(d,),
        d=(d,),
        x=(m,),
        rates=(m,),
        values=(DIFFERENCE_ROWS,),
        step=(d,),
        multipliers=(s,),
        by_q=(n, n),
        by_v=(n, n),
        derivatives=(length(equation_derivatives(n, s)),),
        inverse=(n, n),
        coupling=(n, n),
        right=(n,),
        pivots=(n,),
    )
