"""CompiledSystem: a system as machine code, for one state or a million."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..compiled.emit.c_source import c_source
from ..compiled.model import CompiledModel
from ..errors import UnknownName
from ..foundation.frozen_dataclass import dataclass
from ..kernels.evaluation import Evaluation
from ..language.faults import Faults
from ..language.symbols import name_of
from ..model.input.numbers import parameter_values, positions_of_many, times, velocities_of_many

FUNCTIONS = (
    "motion",
    "terms",
    "surface",
    "residuals",
    "reactions",
    "energy",
    "outputs",
    "derivatives",
    "parameter_derivatives",
)  # that can be written as C source


@dataclass(frozen=True, repr=False, eq=False)
class CompiledSystem:
    """Machine code of a system: `evaluate` runs it, `summary` tells what it cost, `c_source` writes it as C.

    Functions are derived and compiled when they are first needed and kept on disk for other processes.
    """

    model: CompiledModel
    coordinates: tuple[Any, ...]
    parameters: tuple[Any, ...]
    values: Mapping[Any, Any]  # default numbers

    def evaluate(self, t: Any, q: Any, v: Any, values: Any = None) -> Evaluation:
        """Everything at one state, or at many: q and v are (..., n) or mappings by name, t is a number or (...).

        `values` are numbers of parameters for all states, the rest come from the system's own. What is not finite
        gives NaN. Nothing is computed before it is asked for.
        """
        faults = Faults()
        parameters = parameter_values(values, self.parameters, self.values, faults)
        q, v, t = (
            positions_of_many(q, self.coordinates, faults),
            velocities_of_many(v, self.coordinates, faults),
            times(t, faults),
        )
        faults.raise_any("The evaluation")
        try:
            shape = np.broadcast_shapes(t.shape, q.shape[:-1], v.shape[:-1])
        except ValueError:
            faults.add("t, q, v", f"their shapes {t.shape}, {q.shape} and {v.shape} do not belong together")
            faults.raise_any("The evaluation")
        n = len(self.coordinates)
        # Copies: the numbers are computed on demand, and the caller may change the arrays before.
        q, v = (np.array(np.broadcast_to(x, (*shape, n)), order="C").reshape(-1, n) for x in (q, v))
        t = np.array(np.broadcast_to(t, shape), order="C").reshape(-1)
        return Evaluation(self.model, shape, t, q, v, parameters)

    def __repr__(self) -> str:
        names = ", ".join(map(name_of, self.coordinates))
        return f"Machine code of a system in {names} with {self.model.s} rows of constraints\n{self.summary()}"

    def optimized(self) -> CompiledSystem:
        """The same with the better code throughout: slower to generate, for a long run of a large system."""
        return CompiledSystem(self.model.optimized(), self.coordinates, self.parameters, self.values)

    def c_source(self, function: str = "motion") -> str:
        """A function as a C source file of its own; it takes numbers in the order that the file says."""
        if function not in FUNCTIONS:
            raise UnknownName("function", function, FUNCTIONS)
        stated, plan = self.model.source(function)
        names = ", ".join(map(name_of, self.coordinates))
        order = f"/* q and v: {names}\n * parameters: {', '.join(p.name for p in self.parameters)}\n"
        inputs = f" * inputs: accelerations in the same order, then {self.model.s} multipliers */\n"
        return order + inputs + c_source(stated.graph, self.model.input_slots, plan)

    def summary(self) -> str:
        """The functions compiled so far: operations, seconds to derive and compile, size of the code."""
        head = ("function", "operations", "seconds", "bytes", "code")
        rows = [head]
        for f in self.model.functions():
            quality = ("quick", "better")[f.info.level] + (", from the cache" if f.from_cache else "")
            rows.append((f.info.name, str(f.info.operations), f"{f.info.seconds:.3f}", str(f.bytes), quality))
        widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        for call in self.model.callbacks:
            how = (
                "compiled by numba" if call.compiled else f"called in Python, since numba cannot compile it: {call.why}"
            )
            lines.append(f"function {call.name!r}: {how}")
        return "\n".join(lines) if len(rows) > 1 else "Nothing has been compiled yet."
