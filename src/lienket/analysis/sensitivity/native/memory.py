"""What the kernels of tangents keep in their scratch; `memory_sizes` has its length."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....kernels.native.runtime.address import matrix, vector
from ....kernels.native.runtime.jit import kernel
from ....simulation import memory as at
from ....simulation.stepping.native.run_view import scratch_part
from ..memory_sizes import answers_size, shared_size

kernel(answers_size)  # plain functions, which kernels call as well
kernel(shared_size)


class Shared(NamedTuple):
    """The answers of the model: derivatives of the equations by q, v ((n + s) x n each) and parameters ((n + s) x p),
    those of the surface, the surface; right sides ((n + s) x K, and the same memory as (n + s) x C), weights (n x K),
    derivatives of a state (2 n x K), a row, the numbers of the rows that take part.
    """

    answer: Any
    by_q: Any
    by_v: Any
    by_p: Any
    surface_derivatives: Any
    surface: Any
    right: Any
    right_p: Any
    weights: Any
    delta: Any
    along: Any
    taken: Any


@kernel
def columns_of(run: Any) -> Any:
    """K, the number of columns of the tangents."""
    return run.tangents.shape[1] // (2 * run.model[at.COORDINATES])


@kernel
def shared_of(run: Any) -> Any:
    """The parts of the scratch that all kernels have, in the order of `Shared`."""
    n, s, p, x = run.model[at.COORDINATES], run.model[at.ROWS], run.parameters.size, run.scratch
    K, C, all_rows = columns_of(run), run.columns.size, n + s
    by_p = all_rows * (2 * n + 2)
    bent = by_p + all_rows * p
    flat = bent + 2 * s + 2 * s * p + s * n
    right = answers_size(n, s, p)
    weights = right + all_rows * max(K, C)
    delta = weights + n * K
    along = delta + 2 * n * K
    most = max(n, K, C)
    return Shared(
        scratch_part(run, 0, by_p),
        matrix(x, all_rows, all_rows, n),
        matrix(x, all_rows * (n + 1), all_rows, n),
        matrix(x, by_p, all_rows, p),
        vector(x, bent, flat - bent),
        vector(x, flat, right - flat),
        matrix(x, right, all_rows, K),
        matrix(x, right, all_rows, C),
        matrix(x, weights, n, K),
        matrix(x, delta, 2 * n, K),
        vector(x, along, most),
        vector(x, along + most, s),
    )


@kernel
def tangent_at(run: Any, row: Any) -> Any:
    """The derivatives of the state at a row, 2 n x K."""
    d, K = 2 * run.model[at.COORDINATES], columns_of(run)
    return matrix(run.tangents, row * d * K, d, K)


@kernel
def state_at(run: Any, row: Any) -> Any:
    """The state at a row, 2 n."""
    width = run.rows.shape[1]
    return vector(run.rows, row * width + 2, 2 * run.model[at.COORDINATES])
