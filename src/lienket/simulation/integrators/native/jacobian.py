"""Derivatives of the accelerations by positions and velocities, for implicit methods.

With B the derivatives of A a - h - G^T lambda (rows n) and of G a + g0 (rows s), a and lambda held,

    A da - G^T dlambda = -B_upper dy,      G da = -B_lower dy.

The system is solved with the chain that elimination stores in the workspace, see chain_solve.py. If friction or drives
depend on the motion, the derivatives are forward differences; the results of Newton's method are as accurate with them.
"""

from __future__ import annotations

from typing import Any

from ....kernels.memory.workspace import accelerations_at, slots
from ....kernels.native.chain_solve import solve_chain
from ....kernels.native.robust_solve import MULTIPLIERS, SOLVE, call_robust
from ....kernels.native.runtime.address import call, vector
from ....kernels.native.runtime.blocks import views
from ....kernels.native.runtime.jit import kernel
from ....kernels.native.runtime.views import by_coordinate
from ...memory import addresses, counts, states
from ...model_answers import equation_derivatives
from ...stepping.native.known_times import model_time
from ...stepping.native.rates import accelerate
from ...stepping.native.run_view import state

kernel(equation_derivatives)  # a Python function that kernels call too

DIFFERENCE_STEP = 1.5e-8  # [1] relative step of forward differences, half of the digits of a number


@kernel
def derivatives_of(answer: Any, n: Any, s: Any) -> Any:
    """Return the blocks of the answer of the model's function `derivatives`, see `EquationDerivatives`."""
    return views(answer, 0, equation_derivatives(n, s))


@kernel
def solve_at(run: Any, t: Any, q: Any, v: Any) -> Any:
    """Fill the inputs of the model with accelerations and multipliers at a state; return whether they exist.

    The chain of the elimination stays in the workspace.
    """
    call(run.addresses[addresses.TERMS], model_time(run, t), q, v, run.parameters, run.inputs, run.work)
    return _solve(run, SOLVE)


@kernel
def _solve(run: Any, task: Any) -> Any:
    """Do a task of `solve_robust` with the terms in `work`, and fill the inputs as in `solve_at`."""
    n, s, work, places, inputs = run.n, run.s, run.work, run.places, run.inputs
    places[slots.INERTIAS] = 0
    status = call_robust(n, s, task, work, places)
    if status < 0:
        run.counts[counts.STATUS_WORST] = status
        return False
    solution = vector(work, accelerations_at(n, s), n + s)
    for i in range(n + s):
        inputs[i] = solution[i]
    return True


@kernel
def jacobian(run: Any, t: Any, y: Any, f: Any, by_q: Any, by_v: Any, answer: Any) -> Any:
    """Fill by_q and by_v (n x n) at t, y (m) with rates f (m); return whether accelerations exist."""
    if run.places[slots.LOADS] != 0:
        return _differences(run, t, y, by_q, by_v)
    n, s = run.n, run.s
    q, v, inputs, work, places = vector(y, 0, n), vector(y, n, n), run.inputs, run.work, run.places
    given = vector(work, accelerations_at(n, s), n)
    call(run.addresses[addresses.TERMS], model_time(run, t), q, v, run.parameters, inputs, work)
    for i in range(n):
        given[i] = f[n + i]
    if not _solve(run, MULTIPLIERS):
        return False
    call(run.addresses[addresses.DERIVATIVES], model_time(run, t), q, v, run.parameters, inputs, answer)
    derivatives = derivatives_of(answer, n, s)
    beta = by_coordinate(work, places, slots.BETA)
    solve_chain(derivatives.by_q, by_q, beta, work, places)
    solve_chain(derivatives.by_v, by_v, beta, work, places)
    return True


@kernel
def _differences(run: Any, t: Any, y: Any, by_q: Any, by_v: Any) -> Any:
    """Fill by_q and by_v (n x n) by forward differences; stores accelerations and multipliers at y in the inputs."""
    n, x, f, g = run.n, state(run, states.NODE), state(run, states.NODE_RATE), state(run, states.BEFORE)
    worst = run.counts[counts.STATUS_WORST]
    largest = 0.0
    for i in range(2 * n):
        x[i] = y[i]
        largest = max(largest, abs(y[i]))
    if not accelerate(run, t, x, f):
        return False
    for j in range(2 * n):
        step = DIFFERENCE_STEP * max(abs(y[j]), 0.01 * largest, 1e-3)
        x[j] = y[j] + step
        step = x[j] - y[j]
        evaluated = accelerate(run, t, x, g)
        x[j] = y[j]
        if not evaluated:
            return False
        for i in range(n):
            change = (g[n + i] - f[n + i]) / step
            if j < n:
                by_q[i, j] = change
            else:
                by_v[i, j - n] = change
    accelerate(run, t, x, f)
    run.counts[counts.STATUS_WORST] = worst
    for i in range(n):
        run.inputs[i] = f[n + i]
    return True
