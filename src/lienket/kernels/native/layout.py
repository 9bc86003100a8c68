"""The workspace of the kernels: one float64 array `work` and one int64 array `places`, made once by the caller.

`work` begins with what the model function writes, then comes the room in which Schur's complement or elimination
works, never both at the same time, then what projection keeps. `places` begins with the addresses of LAPACK's
routines, which are 0 where nothing is large enough for them, and of the two ways to a solution; then come the places
of the arrays of elimination.

Nothing here needs numba: Python makes the workspace. `views` are for kernels.
"""

from __future__ import annotations

from typing import Any

LARGE = 60
"""More coordinates than this go to LAPACK."""
POTRF, TRSM, SYRK, GEMV, GER, ELIMINATION, SHORT = 0, 1, 2, 3, 4, 5, 6  # places of addresses
NUMBERS = 8  # from here on the whole numbers that LAPACK is given by pointer

CLOSING, LOADS, DRIVES = 16, 17, 18
"""Where what is not ideal is solved for, the model's function of that name (0 if all is ideal), and how many drives."""

FIRST, MASSIVE, FIRST_MASSLESS, ACCEPTED = 20, 21, 22, 23
"""Counts: rows FIRST to MASSIVE of D have mass, rows FIRST_MASSLESS to n have none; ACCEPTED rows so far."""

N, ROWS = 24, 25
A, L0, D, FREE = 26, 27, 28, 29
"""Squares n x n: A scaled, Cholesky's factor of it, the directions left (each a row), and before any constraint."""
G, E = 30, 31
"""Rows of n: G scaled, the directions of accepted rows."""
L, K = 32, 33
"""Squares s x s: G E^T, lower triangle; scratch."""
H, SCALE, REACH, ACCELERATION, FREE_ACCELERATION, BETA, TURNED = 34, 35, 36, 37, 38, 39, 40
"""Vectors n: the right side, units of the coordinates, the reach of each; a now and without constraints; scratch."""
G0, MU = 41, 42
"""Vectors s."""
INERTIAS = 43  # 1 if the terms of the diagonal of A are given
INDICES = 44  # from here on: an order of coordinates (n), the numbers of accepted rows (s), verdicts (s)
_LAST = 43


def terms_size(n: Any, s: Any) -> Any:
    """The beginning of `work`: A, h, G, g0, then the terms of the diagonal of A (n), then the answer."""
    return accelerations_at(n, s) + n + s


def accelerations_at(n: Any, s: Any) -> Any:
    """Where the answer of elimination begins: accelerations (n) and multipliers (s)."""
    return n * n + n + s * n + s + n


def kept_at(n: Any, s: Any) -> Any:
    """Where the end of `work` begins, 2 n + s numbers that nobody but projection uses."""
    elimination = 4 * n * n + 2 * s * n + 2 * s * s + 7 * n + 2 * s
    schur = (n + s + 1) * n + s * s + 2
    return terms_size(n, s) + max(elimination, schur)


def work_size(n: Any, s: Any) -> Any:
    """How many float64 the workspace has; the last one is what S^-1 made of a number, by Schur's complement."""
    return kept_at(n, s) + 2 * n + s + 1


def loads_size(n: Any, F: Any, p: Any, k: Any, m: Any) -> Any:
    """What the model's function `loads` writes, right after `work`: F contacts, p drives, k and m rows of programs."""
    return 4 + 2 * F + F * n + p * n + 3 * p + k + m * n + m


def closing_size(n: Any, s: Any, F: Any, p: Any, k: Any, m: Any) -> Any:
    """What `closing` needs after that: solutions and responses, the systems for pushes and for drives."""
    solutions = (n + s) * (2 + F + p)
    pushes = F * F + F + F * (1 + p)
    drives = 2 * (k + m + p) * p + 3 * (k + m + p) + 5 * p
    return solutions + pushes + drives


def places_size(n: Any, s: Any) -> Any:
    """How many int64 the workspace has."""
    return INDICES + n + 2 * s


def lay_out(places: Any, n: Any, s: Any, at: Any) -> None:
    """Notes where the arrays of elimination begin in `work`, from `at` on, for n coordinates and s rows."""
    places[N], places[ROWS] = n, s
    for name in range(A, _LAST):
        places[name] = at
        if name < G:
            at += n * n
        elif name < L:
            at += s * n
        elif name < H:
            at += s * s
        else:
            at += n if name < G0 else s
