"""The function that gives the numbers of a system at a state, by machine code."""

from __future__ import annotations

import numpy as np

from .callables import raise_faults
from .model import CompiledModel, contiguous
from .numbers import Array, LawNumbers, Numbers, RowNumbers


class Evaluator:
    """(t, q, v, parameters, a) -> Numbers; a matters only to constraints that are nonlinear in q''."""

    def __init__(self, model: CompiledModel) -> None:
        self._function, self._n = model.function("numbers"), model.n
        self._constraints = (*model.constraints, *model.followed)
        self._inputs = np.zeros(model.inputs)
        self.nonlinear = tuple(model.constraints[k].name for k in self._function.facts.nonlinear)
        self._callbacks = model.callbacks

    def __call__(self, t: float, q: Array, v: Array, parameters: Array, a: Array | None = None) -> Numbers:
        """All numbers at the state; entries may come out infinite or NaN where the formulas do."""
        n = self._n
        inputs = self._inputs
        if a is not None:
            inputs = self._inputs.copy()
            inputs[:n] = a
        arrays = (contiguous(q), contiguous(v), contiguous(parameters), inputs)
        _, out = self._function(float(t), *arrays)
        raise_faults(self._callbacks)
        out.setflags(write=False)  # and with it every part
        parts = iter(self._function.parts(out))
        A, h, Q, storing, inertias = (next(parts) for _ in range(5))
        own = [[next(parts) for _ in range(6)] for _ in self._constraints]
        rows = []
        for c, (G, g0, position, velocity, sizes, drives) in zip(self._constraints, own, strict=True):
            push, share, direction, following, gains = (next(parts) for _ in range(5))
            law = LawNumbers(
                push if push.size else 0.0, float(share[0]), direction if direction.size else 0.0, following, gains
            )
            names = tuple(name for name, _ in c.drives)
            rows.append(RowNumbers(c.name, c.kind, G, g0, position, velocity, sizes, drives.T, names, law))
        return Numbers(float(t), arrays[0], arrays[1], A, h, Q, storing, tuple(rows), inertias)
