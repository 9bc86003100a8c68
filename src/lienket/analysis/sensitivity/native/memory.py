"""Views of the scratch memory of the sensitivity kernels; `scratch` has its shapes."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....kernels.native.runtime.address import matrix, vector
from ....kernels.native.runtime.blocks import views
from ....kernels.native.runtime.jit import kernel
from ....simulation.integrators.native.jacobian import derivatives_of
from ....simulation.model_answers import surface, surface_derivatives
from ..scratch import shared_blocks

for _plain in (surface, surface_derivatives, shared_blocks):
    kernel(_plain)  # which kernels call as well


class Views(NamedTuple):
    """The blocks of `Shared` and what lies inside them."""

    answer: Any  # output of the model's function `derivatives`; by_q and by_v lie inside
    by_q: Any  # (n + s, n) derivatives of the equations by positions
    by_v: Any  # (n + s, n) derivatives of the equations by velocities
    by_p: Any  # (n + s, p) derivatives of the equations by the parameters
    surface_answer: Any  # output of the model's function `surface`
    surface: Any  # see `model_answers.Surface`
    surface_derivatives_answer: Any  # output of the model's function `surface_derivatives`
    surface_derivatives: Any  # see `model_answers.SurfaceDerivatives`
    right: Any  # (n + s, K) right sides
    right_p: Any  # (n + s, C) the same memory, for the columns of parameters
    weights: Any  # (n, K)
    delta: Any  # (2 n, K) derivatives of a state
    along: Any  # a row of any matrix here
    taken: Any  # (s) numbers of the rows that take part


@kernel
def columns_of(run: Any) -> Any:
    """Return K, the number of columns of the tangents."""
    return run.tangents.shape[1] // (2 * run.n)


@kernel
def shared_shapes(run: Any) -> Any:
    """Return the shapes of the blocks that all kernels of sensitivities share."""
    return shared_blocks(run.n, run.s, run.parameters.size, columns_of(run), run.columns.size)


@kernel
def shared_of(run: Any) -> Any:
    """Return the blocks of the scratch that all kernels of sensitivities share, see `Views`."""
    n, s, p, rows = run.n, run.s, run.parameters.size, run.n + run.s
    blocks = views(run.scratch, 0, shared_shapes(run))
    derivatives = derivatives_of(blocks.answer, n, s)
    return Views(
        blocks.answer,
        derivatives.by_q,
        derivatives.by_v,
        blocks.by_p,
        blocks.surface,
        views(blocks.surface, 0, surface(n, s)),
        blocks.surface_derivatives,
        views(blocks.surface_derivatives, 0, surface_derivatives(n, s, p)),
        matrix(blocks.right, 0, rows, columns_of(run)),
        matrix(blocks.right, 0, rows, run.columns.size),
        blocks.weights,
        blocks.delta,
        blocks.along,
        blocks.taken,
    )


@kernel
def tangent_at(run: Any, row: Any) -> Any:
    """Return the derivatives of the state at a row, 2 n x K."""
    d, K = 2 * run.n, columns_of(run)
    return matrix(run.tangents, row * d * K, d, K)


@kernel
def state_at(run: Any, row: Any) -> Any:
    """Return the state at a row, 2 n."""
    width = run.rows.shape[1]
    return vector(run.rows, row * width + 2, 2 * run.n)
