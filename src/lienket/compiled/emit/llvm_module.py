"""A module of LLVM IR: functions, each with its loop over many states, and the tables and solvers that they call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...language.data_functions import PythonFunction, Table
from ..functions.plan import Plan
from ..graph.graph import Graph
from .dense_solver import DECLARATIONS as DENSE_DECLARATIONS
from .dense_solver import solver
from .llvm import LIBRARY, DataCalls, Emitter
from .sine import DECLARATIONS
from .stores import DECLARATIONS as STORE_DECLARATIONS
from .tables import table_ir

_DECLARATIONS = (
    *DECLARATIONS,
    *DENSE_DECLARATIONS,
    *STORE_DECLARATIONS,
    *(f"declare double @{name}(double)" for name in LIBRARY),
    "declare double @pow(double, double)",
    "declare double @atan2(double, double)",
    "declare double @llvm.sqrt.f64(double)",
    "declare double @llvm.fabs.f64(double)",
)


def module(graph: Graph, slots: Sequence[tuple[str, int]], plans: Iterable[Plan], n: int, inputs: int) -> str:
    """Return a module with the functions of the plans, each with its loop over many states.

    `slots` are (argument, index) of each input of the graph; n and `inputs` are the lengths of q (and v) and of the
    further inputs.
    """
    bodies: list[str] = []
    calls: DataCalls = {}
    for plan in plans:
        emitter = Emitter(graph, slots, plan, calls)
        bodies += [emitter.text(), _loop(plan.name, n, inputs, plan.size)]
        if plan.dense is not None:
            bodies.append(solver(f"{plan.name}_solve", plan.dense))
    functions = dict.fromkeys(_data_function(*key, name) for key, name in calls.items())  # two may call one in Python
    return "\n".join([*_DECLARATIONS, *functions, *bodies])


def _data_function(function: Table | PythonFunction, orders: tuple[int, ...], name: str) -> str:
    """Return the definition of a table, or the declaration of a Python function."""
    if isinstance(function, Table):
        return table_ir(name, function, orders[0])
    return f"declare double @{name}(ptr)"


def _loop(name: str, n: int, inputs: int, size: int) -> str:
    """Return the loop name_many(count, t, q, v, parameters, inputs, out, status) over states contiguous in memory."""
    steps = (("t", 1), ("q", n), ("v", n), ("x", inputs), ("out", size), ("status", 1))
    lines = [
        f"define void @{name}_many(i64 %count, ptr %t, ptr %q, ptr %v, ptr %p, ptr %x, ptr %out, ptr %status) {{",
        "entry:",
        "%some = icmp sgt i64 %count, 0",
        "br i1 %some, label %loop, label %done",
        "loop:",
        "%i = phi i64 [ 0, %entry ], [ %next, %loop ]",
    ]
    for pointer, step in steps:
        lines.append(f"%{pointer}.k = mul i64 %i, {step}")
        lines.append(f"%{pointer}.i = getelementptr double, ptr %{pointer}, i64 %{pointer}.k")
    arguments = "double %time, ptr %q.i, ptr %v.i, ptr %p, ptr %x.i, ptr %out.i"
    lines += [
        "%time = load double, ptr %t.i",
        f"%trusted = call i64 @{name}({arguments})",
        "store i64 %trusted, ptr %status.i",
        "%next = add i64 %i, 1",
        "%again = icmp slt i64 %next, %count",
        "br i1 %again, label %loop, label %done",
        "done:",
        "ret void",
        "}",
    ]
    return "\n".join(lines)
