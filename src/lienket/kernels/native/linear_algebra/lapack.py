"""Large matrices by LAPACK and BLAS, called by address.

A lower triangle stored by rows is for Fortran an upper triangle stored by columns: L here is U^T there.
Integers are passed by pointer. They are stored as int64, whose first four bytes are the int32 that LAPACK reads.
"""

from __future__ import annotations

from typing import Any

from ...memory.workspace import slots
from ..runtime.address import address_of, call_words
from ..runtime.jit import kernel

UPPER, LEFT, TRANSPOSED, GENERAL = ord("U"), ord("L"), ord("T"), ord("N")
ONE = 0x3FF0000000000000  # the bits of 1.0


@kernel
def factor_large(A: Any, limit: Any, iwork: Any) -> Any:
    """Factor A = L L^T (n x n) in place, L in its lower triangle; return whether all L_ii^2 > limit * A_ii."""
    n = A.shape[0]
    rows = iwork[slots.NUMBERS : slots.NUMBERS + 3]
    rows[0], rows[1], rows[2] = UPPER, n, 0
    size, done = address_of(rows, 1), address_of(rows, 2)
    call_words(iwork[slots.POTRF], (address_of(rows, 0), size, address_of(A, 0), size, done))
    if rows[2] & 0xFFFFFFFF:
        return False
    for i in range(n):
        total = 0.0  # A_ii, which the factor has overwritten
        for k in range(i + 1):
            total += A[i, k] * A[i, k]
        if not A[i, i] * A[i, i] > limit * total:
            return False
    return True


@kernel
def solve_rows_large(L: Any, rows: Any, constants: Any, iwork: Any) -> None:
    """Replace each row J (m x n) by J L^-T, in place: L^-1 J^T column by column. `constants` (2) is scratch."""
    n = L.shape[0]
    numbers = iwork[slots.NUMBERS : slots.NUMBERS + 6]
    numbers[0], numbers[1], numbers[2], numbers[3] = LEFT, UPPER, TRANSPOSED, GENERAL
    numbers[4], numbers[5] = n, rows.shape[0]
    constants[0] = 1.0
    heads = (address_of(numbers, 0), address_of(numbers, 1), address_of(numbers, 2), address_of(numbers, 3))
    n_at, factor = address_of(numbers, 4), address_of(constants, 0)
    sizes = (n_at, address_of(numbers, 5), factor, address_of(L, 0), n_at, address_of(rows, 0), n_at)
    call_words(iwork[slots.TRSM], heads + sizes)


@kernel
def gram_large(rows: Any, S: Any, constants: Any, iwork: Any) -> None:
    """Fill the lower triangle of S = rows rows^T, s x s; `rows` has n columns and at least s rows."""
    n, s = rows.shape[1], S.shape[0]
    numbers = iwork[slots.NUMBERS : slots.NUMBERS + 4]
    numbers[0], numbers[1], numbers[2], numbers[3] = UPPER, TRANSPOSED, s, n
    constants[0], constants[1] = 1.0, 0.0
    s_at, n_at = address_of(numbers, 2), address_of(numbers, 3)
    heads = (address_of(numbers, 0), address_of(numbers, 1), s_at, n_at, address_of(constants, 0))
    arrays = (address_of(rows, 0), n_at, address_of(constants, 1), address_of(S, 0), s_at)
    call_words(iwork[slots.SYRK], heads + arrays)


@kernel
def multiply_large(D: Any, first: Any, last: Any, x: Any, r: Any, y: Any, iwork: Any) -> None:
    """Fill y[first:last] with the products of the rows D[first:last] and row r of x; D and x have n columns."""
    n = D.shape[1]
    numbers = _gemv_integers(TRANSPOSED, n, last - first, iwork)
    n_at, one = address_of(numbers, 1), address_of(numbers, 3)
    heads = (address_of(numbers, 0), n_at, address_of(numbers, 2), address_of(numbers, 4))
    arrays = (address_of(D, first * n), n_at, address_of(x, r * n), one, address_of(numbers, 5))
    call_words(iwork[slots.GEMV], (*heads, *arrays, address_of(y, first), one))


@kernel
def multiply_transposed_large(D: Any, first: Any, last: Any, x: Any, y: Any, iwork: Any) -> None:
    """Fill y (n) = x[first:last] D[first:last]."""
    n = D.shape[1]
    numbers = _gemv_integers(GENERAL, n, last - first, iwork)
    n_at, one = address_of(numbers, 1), address_of(numbers, 3)
    heads = (address_of(numbers, 0), n_at, address_of(numbers, 2), address_of(numbers, 4))
    arrays = (address_of(D, first * n), n_at, address_of(x, first), one, address_of(numbers, 5))
    call_words(iwork[slots.GEMV], (*heads, *arrays, address_of(y, 0), one))


@kernel
def _gemv_integers(transposition: Any, n: Any, count: Any, iwork: Any) -> Any:
    """Write the integer arguments of dgemv, and the bits of 1.0 and 0.0, and return them."""
    numbers = iwork[slots.NUMBERS : slots.NUMBERS + 6]
    numbers[0], numbers[1], numbers[2], numbers[3] = transposition, n, count, 1
    numbers[4], numbers[5] = ONE, 0
    return numbers


@kernel
def reflect_large(D: Any, first: Any, last: Any, beta: Any, turned: Any, scale: Any, iwork: Any) -> None:
    """Add scale[0] beta[first:last] turned^T to D[first:last]."""
    n = D.shape[1]
    numbers = iwork[slots.NUMBERS : slots.NUMBERS + 3]
    numbers[0], numbers[1], numbers[2] = n, last - first, 1
    n_at, one = address_of(numbers, 0), address_of(numbers, 2)
    sizes = (n_at, address_of(numbers, 1), address_of(scale, 0))
    call_words(
        iwork[slots.GER],
        (*sizes, address_of(turned, 0), one, address_of(beta, first), one, address_of(D, first * n), n_at),
    )
