"""A module of LLVM IR: functions of straight-line code, each with its loop over many states, and what they call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...language.data_functions import Table
from ..functions.plan import Written
from ..graph.graph import Graph
from .dense_solver import DECLARATIONS as DENSE_DECLARATIONS
from .dense_solver import solver
from .llvm import LIBRARY, Emitter
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


def module(graph: Graph, places: Sequence[tuple[str, int]], functions: Iterable[Written], n: int, inputs: int) -> str:
    """A module with the functions, each with its loop over many states.

    `places` says for each input in which argument it stands, and where; n and `inputs` are the lengths of q (and v)
    and of the further inputs.
    """
    bodies: list[str] = []
    given: dict[tuple[Any, tuple[int, ...]], str] = {}
    for function in functions:
        emitter = Emitter(graph, places, function, given)
        bodies += [emitter.text(), _loop(function.name, n, inputs, function.size)]
        if function.dense is not None:
            bodies.append(solver(f"{function.name}_solve", function.dense))
    return "\n".join([*_DECLARATIONS, *(_given(*key, name) for key, name in given.items()), *bodies])


def _given(function: Any, orders: tuple[int, ...], name: str) -> str:
    if isinstance(function, Table):
        return table_ir(name, function, orders[0])
    return f"declare double @{name}(ptr)"


def _loop(name: str, n: int, inputs: int, size: int) -> str:
    """The loop name_many(count, t, q, v, parameters, inputs, out, status) over states one after another in memory."""
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
