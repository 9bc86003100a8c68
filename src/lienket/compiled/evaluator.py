"""The function that gives the numbers of a system at a state, by machine code."""

from __future__ import annotations

import numpy as np

from .model import CompiledModel, contiguous
from .numbers import Array, Numbers, RowNumbers


class Evaluator:
    """(t, q, v, parameters, a) -> Numbers; a matters only to constraints that are nonlinear in q''."""

    def __init__(self, model: CompiledModel) -> None:
        self._function, self._n = model.function("numbers"), model.n
        self._constraints = model.constraints
        self._inputs = np.zeros(model.n + model.s)
        self.nonlinear = tuple(model.constraints[k].name for k in self._function.facts.nonlinear)

    def __call__(self, t: float, q: Array, v: Array, parameters: Array, a: Array | None = None) -> Numbers:
        """All numbers at the state; entries may come out infinite or NaN where the formulas do."""
        n = self._n
        inputs = self._inputs
        if a is not None:
            inputs = self._inputs.copy()
            inputs[:n] = a
        arrays = (contiguous(q), contiguous(v), contiguous(parameters), inputs)
        _, out = self._function(float(t), *arrays)
        out.setflags(write=False)  # and with it every part
        parts = iter(self._function.parts(out))
        A, h, Q, storing, inertias = (next(parts) for _ in range(5))
        rows = []
        for c in self._constraints:
            G, g0, position, velocity, sizes, drives = (next(parts) for _ in range(6))
            names = tuple(name for name, _ in c.drives)
            rows.append(RowNumbers(c.name, c.kind, G, g0, position, velocity, sizes, drives.T, names))
        return Numbers(float(t), arrays[0], arrays[1], A, h, Q, storing, tuple(rows), inertias)
