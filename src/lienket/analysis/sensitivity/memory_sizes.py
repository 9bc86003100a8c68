"""The memory of the kernels for derivatives of a run; `native.memory` has the arrays. Nothing here needs numba.

n coordinates, s rows, p parameters, K columns (derivatives, or outputs in adjoint kernels), S stages. These kernels are
given the arrays of `memory`, and then

    tableau   float64   (S + 1, S + 1) c_i, a_i1, ..., a_iS of every stage; 1, b_1, ..., b_S
    columns   int64     (C) the parameter by which a column differentiates, -1 for none; C = K.
                        In adjoint kernels every parameter, C = p
    tangents  float64   (rows, 2 n K) the derivatives of the state at each of the `rows`, the first given.
                        In adjoint kernels one row, the derivatives of the outputs by the state, on their way back
    gradient  float64   (p, K) in adjoint kernels: the derivatives of the outputs by the parameters, so far
    sizes     float64   (C) the size of what each column differentiates by, see directions.LITTLE

`rows` are those of a run, each the end of a step. counts[FIRST_ROW] is where the first step begins, counts[LAST_ROW]
where the last one ends; control[OFF] and control[MOVED_BY] tell how far derivatives were off the tangent space.
"""

from __future__ import annotations

from typing import Any

FIRST_ROW, LAST_ROW = 0, 1  # counts
OFF, MOVED_BY = 0, 4
"""Control: the largest residual of the linearised constraints as a share of its terms, after projection and before."""


def answers_size(n: Any, s: Any, p: Any) -> Any:
    """What the model answers: derivatives, by parameters, derivatives of the surface, the surface."""
    return (n + s) * (2 * n + 2) + (n + s) * p + (2 * s + 2 * s * p + s * n) + (n * n + s * n + 2 * s)


def shared_size(n: Any, s: Any, p: Any, K: Any, C: Any) -> Any:
    """What all these kernels need: answers, right sides, weights, derivatives of a state, a row, numbers of rows."""
    return answers_size(n, s, p) + (n + s) * max(K, C) + n * K + 2 * n * K + max(n, K, C) + s


def explicit_size(n: int, s: int, p: int, K: int, C: int, S: int) -> int:
    """The scratch of explicit steps: states, rates (S x 2 n each) and derivatives of the rates."""
    return shared_size(n, s, p, K, C) + 2 * S * 2 * n + S * 2 * n * K


def implicit_size(n: int, s: int, p: int, K: int, C: int, S: int) -> int:
    """The scratch of implicit steps: see `implicit_stages.Stages`."""
    stages = S * 2 * n + S * n + S * (2 * n * n + n * C) + S * S
    return shared_size(n, s, p, K, C) + stages + S * n * S * n + S * n + S * n * (K + 1)
