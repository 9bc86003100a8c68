"""The workspace of the kernels: one float64 array `work` and one int64 array `places`, made once by the caller.

`work` begins with what the model function writes (`Terms`), then comes the memory in which Schur's complement or
elimination works, never both at the same time, then what projection keeps. Where not everything is ideal, the blocks
of `non_ideal_blocks` follow. `places` begins with the `Slots`; after them come, from slots.INDICES on, an order of
coordinates (n), the numbers of accepted rows (s) and verdicts (s).

Nothing here needs numba: Python makes the workspace. `runtime.views` are for kernels.
"""

from __future__ import annotations

from typing import Any, NamedTuple

LARGE = 60
"""More coordinates than this go to LAPACK."""
NUMBERS_SIZE = 8
"""Whole numbers that a routine of LAPACK is given by pointer, at most."""


class Slots(NamedTuple):
    """Places in `places`. Addresses of LAPACK's routines are 0 where nothing is large enough for them."""

    POTRF: int  # address of dpotrf; these five in the order of `lapack_addresses`
    TRSM: int  # address of dtrsm
    SYRK: int  # address of dsyrk
    GEMV: int  # address of dgemv
    GER: int  # address of dger
    ELIMINATION: int  # address of the kernel `robust`
    SHORT: int  # address of the kernel `short`: Schur's complement
    CLOSING: int  # address of the kernel `closing`, which solves for what is not ideal
    LOADS: int  # address of the model's function `loads`, 0 if all is ideal
    DRIVES: int  # how many drives there are
    INERTIAS: int  # 1: the terms of the diagonal of A are given
    FIRST: int  # rows FIRST to MASSIVE of D have mass
    MASSIVE: int  # end of the rows with mass, of FREE too
    FIRST_MASSLESS: int  # rows FIRST_MASSLESS to n of D have no mass
    ACCEPTED: int  # how many rows of the constraints are accepted so far
    N: int  # n, the number of coordinates
    ROWS: int  # s, the number of rows of the constraints
    A: int  # where in `work`: A scaled (n, n); what follows up to MU says where too
    L0: int  # Cholesky's factor of A (n, n)
    D: int  # the directions left, each a row (n, n)
    FREE: int  # the directions before any constraint (n, n); the last square
    G: int  # G scaled (s, n)
    E: int  # the directions of accepted rows (s, n)
    L: int  # G E^T, lower triangle (s, s)
    K: int  # scratch (s, s)
    H: int  # the right side (n)
    SCALE: int  # units of the coordinates (n)
    REACH: int  # the reach of each coordinate (n)
    ACCELERATION: int  # accelerations now (n)
    FREE_ACCELERATION: int  # accelerations without constraints (n)
    BETA: int  # scratch (n)
    TURNED: int  # scratch (n)
    G0: int  # the right sides of the rows (s)
    MU: int  # scratch (s)
    NUMBERS: int  # NUMBERS_SIZE whole numbers that LAPACK is given by pointer
    INDICES: int  # from here on: order of coordinates, accepted rows, verdicts


slots = Slots._make((*range(len(Slots._fields) - 1), len(Slots._fields) - 2 + NUMBERS_SIZE))


class Terms(NamedTuple):
    """The beginning of `work`: the equations A a = h + G^T lambda, G a + g0 = 0 and their solution."""

    A: Any  # (n, n)
    h: Any  # (n)
    G: Any  # (s, n)
    g0: Any  # (s)
    inertias: Any  # (n) terms of the diagonal of A
    accelerations: Any  # (n) a
    multipliers: Any  # (s) lambda


def terms(n: Any, s: Any) -> Any:
    """The shapes of `Terms`."""
    return Terms(A=(n, n), h=(n,), G=(s, n), g0=(s,), inertias=(n,), accelerations=(n,), multipliers=(s,))


def terms_size(n: Any, s: Any) -> Any:
    """The length of `Terms`, where the memory of Schur's complement and elimination begins."""
    return accelerations_at(n, s) + n + s


def accelerations_at(n: Any, s: Any) -> Any:
    """Where the answer of elimination begins: accelerations (n) and multipliers (s)."""
    return n * n + n + s * n + s + n


def elimination_size(n: Any, s: Any) -> Any:
    """The length of the arrays of elimination: as many of each shape as there are slots."""
    squares, rows, small = slots.G - slots.A, slots.L - slots.G, slots.H - slots.L
    vectors, right_sides = slots.G0 - slots.H, slots.NUMBERS - slots.G0
    return squares * n * n + rows * s * n + small * s * s + vectors * n + right_sides * s


def kept_at(n: Any, s: Any) -> Any:
    """Where the end of `work` begins, 2 n + s numbers that only projection uses."""
    schur = (n + s + 1) * n + s * s + 2
    return terms_size(n, s) + max(elimination_size(n, s), schur)


def work_size(n: Any, s: Any) -> Any:
    """How many float64 the workspace has; the last one is what S^-1 made of a number, by Schur's complement."""
    return kept_at(n, s) + 2 * n + s + 1


def places_size(n: Any, s: Any) -> Any:
    """How many int64 the workspace has."""
    return slots.INDICES + n + 2 * s


def lay_out(places: Any, n: Any, s: Any, at: Any) -> None:
    """Notes where the arrays of elimination begin in `work`, from `at` on, for n coordinates and s rows."""
    places[slots.N], places[slots.ROWS] = n, s
    for name in range(slots.A, slots.NUMBERS):
        places[name] = at
        if name < slots.G:
            at += n * n
        elif name < slots.L:
            at += s * n
        elif name < slots.H:
            at += s * s
        else:
            at += n if name < slots.G0 else s
