"""CasADi: the same energies as a graph (SX), differentiated and solved by CasADi, evaluated by its virtual machine.

The saddle system [A G^T; G 0] [q''; -lambda] = [h; -g0] is solved inside the graph, whichever way is faster: up to 9
coordinates by CasADi's symbolic L D L^T in the natural order (A comes first, so no pivot vanishes), from 10 on by its
call of LAPACK's LU. (Its numerical LDL does not take a zero block, its QR and CSparse are slower.)

Inside a compiled loop the same virtual machine is called from C through its function buffer, by
`casadi::_function_buffer_eval`, the entry that CasADi offers to numba. Masses and lengths stay symbols, as parameters
at run time; common subexpressions are shared by CasADi's own `cse`.
"""

from __future__ import annotations

import ctypes
import time
from itertools import accumulate
from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np

from . import andrews, chain
from .peer import Pair, Peer
from .timing import object_loop

Case = chain.Chain | andrews.Andrews
LAPACK_FROM = 10
BUFFER = "_ZN6casadi21_function_buffer_evalEPv"


def graph(case: Case) -> tuple[list[Any], list[Any]]:
    """Return inputs q, v, p and the outputs A, h, G, g0 of the case."""
    q, v, p = ca.SX.sym("q", case.n), ca.SX.sym("v", case.n), ca.SX.sym("p", len(case.parameters))
    module = chain if isinstance(case, chain.Chain) else andrews
    T, V, forces, constraints = module.energies(case, q, v, p, ca)
    rows = ca.vertcat(*constraints)
    A, h = lagrange(T, V, q, v)
    return [q, v, p], [A, ca.vertcat(*forces) + h, ca.jacobian(rows, q), second_rate(rows, q, v)]


def lagrange(T: Any, V: Any, q: Any, v: Any) -> tuple[Any, Any]:
    """Return A and h = d(T - V)/dq - (d(dT/dv)/dq) v of Lagrange's equations A q'' = h."""
    momenta = ca.gradient(T, v)
    return ca.jacobian(momenta, v), ca.gradient(T - V, q) - ca.jtimes(momenta, q, v)


def second_rate(rows: Any, q: Any, v: Any) -> Any:
    """Return the terms of the rows' second time derivative beside G q''."""
    return ca.jtimes(ca.jtimes(rows, q, v), q, v)


def solver(case: Case) -> Any:
    """Return the function (q, v, p) -> accelerations and multipliers in one column."""
    inputs, outputs = graph(case)
    A, h, G, g0 = ca.cse(outputs)
    saddle, right = ca.blockcat([[A, G.T], [G, ca.SX(case.rows, case.rows)]]), ca.vertcat(h, -g0)
    if case.n < LAPACK_FROM:
        D, LT, order = ca.ldl(saddle, False)
        both = ca.ldl_solve(right, D, LT, order)
    else:
        system = ca.Function("system", inputs, [saddle, right])
        inputs = [ca.MX.sym(name, x.numel()) for name, x in zip("qvp", inputs, strict=True)]
        both = ca.solve(*system(*inputs), "lapacklu")
    return ca.Function("f", inputs, [ca.densify(ca.vertcat(both[: case.n], -both[case.n :]))])


def prepare(case: Case) -> Peer:
    """Return the graph, the symbolic factorization and the buffers."""
    begin = time.perf_counter()
    function = solver(case)
    buffer, trigger = function.buffer()
    q, v, p, out = *(x.copy() for x in case.start), case.parameters, np.zeros(case.n + case.rows)
    for k, array in enumerate((q, v, p)):
        buffer.set_arg(k, memoryview(array))
    buffer.set_res(0, memoryview(out))

    def solve(t: float, q_now: np.ndarray, v_now: np.ndarray) -> Pair:
        q[:], v[:] = q_now, v_now
        trigger()
        return out[: case.n].copy(), out[case.n :].copy()

    seconds = time.perf_counter() - begin
    run = object_loop(*entry(buffer), None, q, out)

    def loop(count: int, keep: Any = (function, buffer, p)) -> float:
        q[:], v[:] = case.start
        trigger()
        return run(count)

    return Peer("CasADi", seconds, solve, loop)


def entry(buffer: Any) -> tuple[int, int]:
    """Return the addresses of the virtual machine's entry and of the buffer it is called with."""
    library = ctypes.CDLL(str(Path(ca.__file__).parent / "libcasadi.so"))
    capsule, api = buffer._self(), ctypes.pythonapi
    api.PyCapsule_GetName.restype, api.PyCapsule_GetName.argtypes = ctypes.c_char_p, [ctypes.py_object]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    address = ctypes.cast(getattr(library, BUFFER), ctypes.c_void_p).value
    return address or 0, api.PyCapsule_GetPointer(capsule, api.PyCapsule_GetName(capsule))


def operations(case: Case, shared: bool = True) -> int:
    """How many operations the graph of A, h, G, g0 has; see `counted`."""
    return counted(*graph(case), shared)


def operations_relative(n: int, shared: bool = True, numbers: bool = False) -> int:
    """Return A and h of an open chain of n links in relative angles, masses and lengths as symbols.

    With `numbers`, all masses and lengths are the number 1, there is no gravity, and velocities come by
    differentiating positions.
    """
    q, v, p = ca.SX.sym("q", n), ca.SX.sym("v", n), ca.SX.sym("p", 2 * n + 2)
    phi, w = (list(accumulate(x[i] for i in range(n))) for x in (q, v))
    if not numbers:
        T, V, _, _ = chain.energies(chain.closed_chain(n), phi, w, p, ca)
        return counted([q, v, p], list(lagrange(T, V, q, v)), shared)
    x, y, middles = 0, 0, []
    for angle in phi:
        c, s = ca.cos(angle), ca.sin(angle)
        middles += [x + 0.5 * c, y + 0.5 * s]
        x, y = x + c, y + s
    rates = ca.jtimes(ca.vertcat(*middles), q, v)
    T = sum((rates[2 * i] ** 2 + rates[2 * i + 1] ** 2) / 2 for i in range(n)) + sum(w[i] ** 2 / 24 for i in range(n))
    return counted([q, v], list(lagrange(T, 0, q, v)), shared)


def counted(inputs: list[Any], outputs: list[Any], shared: bool) -> int:
    """Instructions of the virtual machine without those that only move inputs and outputs.

    CasADi shares what is used twice by the user, not what it makes twice; with `shared`, its `cse` is applied too.
    """
    function = ca.Function("f", inputs, ca.cse(outputs) if shared else outputs)
    moves = (ca.OP_INPUT, ca.OP_OUTPUT)
    return sum(function.instruction_id(k) not in moves for k in range(function.n_instructions()))
