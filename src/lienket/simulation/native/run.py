"""Run: the arrays of `memory` together, as kernels hand them on."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernels.native.address import doubles, integers, table, vector
from ...kernels.native.jit import kernel
from . import memory as at


class Run(NamedTuple):
    """See `memory`."""

    model: Any
    level: Any
    parameters: Any
    inputs: Any
    control: Any
    counts: Any
    atol: Any
    y: Any
    times: Any
    rows: Any
    scratch: Any
    bridge: Any
    log: Any
    work: Any
    places: Any


@kernel
def run_of(words: Any) -> Any:
    """The arrays that an entry is given."""
    return Run(
        integers(words, 0),
        integers(words, 2),
        doubles(words, 4),
        doubles(words, 6),
        doubles(words, 8),
        integers(words, 10),
        doubles(words, 12),
        table(words, 14),
        doubles(words, 17),
        table(words, 19),
        doubles(words, 22),
        doubles(words, 24),
        table(words, 26),
        doubles(words, 29),
        integers(words, 31),
    )


@kernel
def state(run: Any, which: Any) -> Any:
    """One of the rows of y, without counting references."""
    m = run.y.shape[1]
    return vector(run.y, which * m, m)


@kernel
def part(run: Any, begin: Any, size: Any) -> Any:
    """Some of the integrator's own memory."""
    return vector(run.scratch, begin, size)


@kernel
def weighted(run: Any, x: Any, y: Any, z: Any) -> Any:
    """The root mean square of x_i/(atol_i + rtol max(|y_i|, |z_i|)) over positions and velocities, as SciPy has it."""
    total, rtol = 0.0, run.control[at.RTOL]
    for i in range(run.atol.size):
        share = x[i] / (run.atol[i] + rtol * max(abs(y[i]), abs(z[i])))
        total += share * share
    return (total / run.atol.size) ** 0.5
