"""Workspace of the kernels: a float64 array `work` and an int64 array `iwork`, allocated once by the caller.

`work` begins with the terms from the model function (`Terms`), followed by scratch that the Schur complement and
elimination share (never used by both at once), then scratch of the projection. With friction or drives, the blocks
of `memory.non_ideal` follow. `iwork` begins with the `Slots`; from slots.INDICES on it holds an order of coordinates
(n), the numbers of accepted rows (s), verdicts (s) and the rows that act in a run (s).

Nothing here needs numba: Python allocates the workspace. Kernels use the views of `runtime.views`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...foundation.arrays import IntArray

LAPACK_THRESHOLD = 60  # [coordinates] number of coordinates above which LAPACK is used
NUMBERS_SIZE = 8  # length of the slot NUMBERS, not less than the integer arguments of a LAPACK routine


class Slots(NamedTuple):
    """Indices into `iwork`. The addresses of LAPACK routines are 0 unless n > LAPACK_THRESHOLD."""

    POTRF: int  # address of dpotrf; these five in the order of `lapack_addresses`
    TRSM: int  # address of dtrsm
    SYRK: int  # address of dsyrk
    GEMV: int  # address of dgemv
    GER: int  # address of dger
    ELIMINATION: int  # address of the kernel `solve_robust`
    SCHUR_COMPLEMENT: int  # address of the kernel `solve_schur`
    NON_IDEAL: int  # address of the kernel `solve_non_ideal`
    LOADS: int  # address of the model's function `loads`, 0 if all constraints are ideal
    DRIVES: int  # number of drives
    INERTIAS: int  # 1 if `work` has the sizes of the terms of the diagonal of A
    FIRST: int  # rows FIRST to MASSIVE of D have mass
    MASSIVE: int  # end of the rows with mass, of FREE too
    FIRST_MASSLESS: int  # rows FIRST_MASSLESS to n of D have no mass
    ACCEPTED: int  # number of constraint rows accepted so far
    N: int  # number of coordinates n
    ROWS: int  # number of constraint rows s
    RANK: int  # number of rows that are independent along the whole run, 0 if it is decided at each state
    EXAMINED: int  # 1: the rows of this run have been examined for redundant ones, and RANK is set if there are any
    CHOICES: int  # number of choices of rows for this run, see `simulation.memory`
    DOUBTS: int  # number of states whose digits are in doubt that are accepted before one is judged again
    DIGITS: int  # 1 if emitted accelerations had their digits at the last accepted state of a run
    WEAK: int  # 1: a row that acts has become short, 2: rows are weak and Python has found no better ones
    A: int  # index in `work` of A scaled (n, n); slots up to REST are indices in `work` too
    L0: int  # Cholesky factor of A (n, n)
    D: int  # free directions, each a row (n, n)
    FREE: int  # directions of the unconstrained system (n, n); the last n x n array
    G: int  # G scaled (s, n)
    E: int  # directions of accepted rows (s, n)
    L: int  # G E^T, lower triangle (s, s)
    K: int  # scratch (s, s)
    H: int  # right side h, scaled (n)
    SCALE: int  # units of the coordinates (n)
    REACH: int  # lengths of the rows of the massive basis, see `Metric.reach` (n)
    ACCELERATION: int  # accelerations under the accepted rows (n)
    FREE_ACCELERATION: int  # accelerations without constraints (n)
    BETA: int  # scratch (n)
    TURNED: int  # scratch (n)
    G0: int  # g0 of the rows (s)
    MU: int  # scratch (s)
    INVERSE_SIZES: int  # 1/size of each row in the unconstrained basis, 0 for an empty row (s)
    REST: int  # squared size of each row on the free directions, relative to its size (s)
    NUMBERS: int  # NUMBERS_SIZE integers that LAPACK receives by pointer
    INDICES: int  # begin of the order of coordinates, the accepted rows and the verdicts


slots = Slots._make((*range(len(Slots._fields) - 1), len(Slots._fields) - 2 + NUMBERS_SIZE))


class Terms(NamedTuple):
    """Beginning of `work`: the equations A a = h + G^T lambda, G a + g0 = 0 and their solution."""

    A: Any  # (n, n)
    h: Any  # (n)
    G: Any  # (s, n)
    g0: Any  # (s)
    inertias: Any  # (n) sizes of the terms of the diagonal of A
    accelerations: Any  # (n) a
    multipliers: Any  # (s) lambda


def terms(n: int, s: int) -> Terms:
    """Return the shapes of `Terms`."""
    return Terms(A=(n, n), h=(n,), G=(s, n), g0=(s,), inertias=(n,), accelerations=(n,), multipliers=(s,))


def terms_size(n: int, s: int) -> int:
    """Return the length of `Terms`, where the scratch of the Schur complement and elimination begins."""
    return accelerations_at(n, s) + n + s


def accelerations_at(n: int, s: int) -> int:
    """Return the index in `work` of the solution: accelerations (n) and multipliers (s)."""
    return n * n + n + s * n + s + n


def elimination_size(n: int, s: int) -> int:
    """Return the length of the arrays of elimination, counted by the slots of each shape."""
    squares, rows, small = slots.G - slots.A, slots.L - slots.G, slots.H - slots.L
    vectors, right_sides = slots.G0 - slots.H, slots.NUMBERS - slots.G0
    return squares * n * n + rows * s * n + small * s * s + vectors * n + right_sides * s


def projection_at(n: int, s: int) -> int:
    """Return the index in `work` of the 2 n + s numbers that only the projection uses."""
    schur = (n + s + 1) * n + s * s + 2
    return terms_size(n, s) + max(elimination_size(n, s), schur)


def work_size(n: int, s: int) -> int:
    """Return the length of `work`.

    Its last number is the growth of S^-1, written by the Schur complement, the one before it the least pivot of the
    elimination.
    """
    return projection_at(n, s) + 2 * n + s + 2


def least_pivot_at(n: int, s: int) -> int:
    """Return the index in `work` of the least pivot of the elimination, relative to the size of its row."""
    return work_size(n, s) - 2


def iwork_size(n: int, s: int) -> int:
    """Return the length of `iwork`."""
    return acting_rows_at(n, s) + s


def acting_rows_at(n: int, s: int) -> int:
    """Return the index in `iwork` of a number for each row: 1 if it acts in the run. All are 0 where RANK is 0."""
    return slots.INDICES + n + 2 * s


def lay_out(iwork: IntArray, n: int, s: int, at: int) -> None:
    """Write the indices in `work` of the arrays of elimination, from `at` on, for n coordinates and s rows."""
    iwork[slots.N], iwork[slots.ROWS] = n, s
    for name in range(slots.A, slots.NUMBERS):
        iwork[name] = at
        if name < slots.G:
            at += n * n
        elif name < slots.L:
            at += s * n
        elif name < slots.H:
            at += s * s
        else:
            at += n if name < slots.G0 else s
