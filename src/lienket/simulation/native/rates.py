"""The rates of a state: y' = (v, q'', power)."""

from __future__ import annotations

from typing import Any

from ...kernels.native.accelerations import SCHUR, accelerations_here
from ...kernels.native.address import call, vector
from ...kernels.native.jit import kernel
from ...kernels.native.robust import ELIMINATION
from . import memory as at


@kernel
def rates(run: Any, t: Any, y: Any, f: Any) -> Any:
    """Fills f (m) at t, y (m); whether there are accelerations. Notes the worst status of the step.

    Schur's complement that is far nearer to singular than at the start counts as elimination.
    """
    n, s = run.model[at.COORDINATES], run.model[at.ROWS]
    q, v, a = vector(y, 0, n), vector(y, n, n), vector(f, n, n)
    for i in range(n):
        f[i] = v[i]
    model, inputs, counts = run.model, run.inputs, run.counts
    given = (t, q, v, run.parameters, inputs, a, vector(inputs, n, s), run.work, run.places)
    status = accelerations_here(model[at.MOTION], model[at.TERMS], *given)
    if status == SCHUR and run.work[run.work.size - 1] > run.control[at.GROWTH]:
        status = ELIMINATION
    counts[at.EVALUATIONS] += 1
    f[2 * n] = 0.0
    if status < 0:
        counts[at.WORST] = status
        return False
    if status > counts[at.WORST] >= 0:
        counts[at.WORST] = status
    if model[at.POWER] != 0:
        for i in range(n):
            inputs[i] = a[i]
        call(model[at.POWER], t, q, v, run.parameters, inputs, vector(f, 2 * n, 1))
    return True
