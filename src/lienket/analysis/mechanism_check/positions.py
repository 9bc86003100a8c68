"""Position at which a mechanism is checked, and its neighbours: moved along D and assembled again (mechanisms 6.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import pipeline
from ...assembly.description import numeric_system
from ...assembly.run_request import numbers_of_parameters, read_stated_start
from ...errors import Faults, StartError
from ...foundation.arrays import Array, BoolArray
from ...model.statement import Statement
from ...simulation.start.level_constraints import POSITIONS, VELOCITIES, LevelConstraints

STEP = 0.02  # [rad or lengths of the mechanism] largest change of a coordinate to a neighbour
LEAST_STEP = 1e-3  # [1] part of the step that must be left after assembly
NULL_LIMIT = 1e-7  # [1] singular value of rows of length 1, relative to the largest, taken for zero
WEAK_LIMITS = (1e-2, 1e-4, 1e-7)  # [1] singular values below which Newton's method leaves out a combination of rows
CLOSED = 1e-10  # [length or 1] residual of rows at which an assembly has succeeded
NEARLY_CLOSED = 1e-6  # [length or 1] residual of given positions that close all loops
CLOSED_FURTHER = 1e-5  # [1] part of CLOSED at which Newton's method stops
NEWTON_LIMIT = 40  # [steps]
NEIGHBOURS = 2  # [positions]
SEED = 20  # [1] of the directions to the neighbours


class Assembler:
    """Consistent positions of a statement for one set of numbers; raises ModelError if one is missing."""

    def __init__(self, statement: Statement, values: object) -> None:
        self.statement, self.values = statement, values
        self.numeric = numeric_system(statement)
        faults = Faults()
        self._parameters = numbers_of_parameters(self.numeric, values, faults)
        faults.raise_any(f"The mechanism {statement.name!r}")

    @property
    def numbers(self) -> dict[Any, float]:
        """Numbers of the parameters."""
        by_name = dict(zip(self.numeric.symbols.parameters, self._parameters.tolist(), strict=True))
        return {p: by_name[p.name] for p in self.statement.parameters}

    def assembled(self, start: object, guess: object) -> Array:
        """Return the consistent position (n) nearest to what is given and guessed, or raise StartError.

        A start that is refused for residuals of the size of rounding, or although what is given closes all loops, is
        assembled here: rows without any gradient, of which a loop of parallel axes has several, leave such residuals.
        """
        try:
            return pipeline.start(self.numeric, start, self.values, guess, 0.0, False).q
        except StartError as error:
            q = self._by_newton(start, guess, only_rounding(error))
            if q is None:
                raise
            return q

    def neighbours(self, q: Array, length: float) -> list[Array]:
        """Return positions beside q that the mechanism reaches; [] if it cannot move."""
        D = self._directions(q)
        if not D.shape[1]:
            return []
        found, random = [], np.random.default_rng(SEED)
        for _ in range(NEIGHBOURS):
            step = D @ random.normal(size=D.shape[1])
            step *= STEP * min(1.0, length) / np.abs(step).max()
            beside = self._closed(q + step, np.ones(len(q), dtype=bool))
            if beside is not None and np.abs(beside - q).max() > LEAST_STEP * np.abs(step).max():
                found.append(beside)
        return found

    # Private

    def _rows(self, level: int, q: Array) -> LevelConstraints:
        model = self.numeric.model(self.numeric.of_a_start)
        return LevelConstraints(model, 0.0, self._parameters, level, self.numeric.names, q)

    def _directions(self, q: Array) -> Array:
        """Return the null space D of G at a position, n x f."""
        if not len(q):
            return np.zeros((0, 0))
        G = self._rows(VELOCITIES, q).surface(np.zeros(len(q))).G
        sizes = np.linalg.norm(G, axis=1)
        _, values, V = np.linalg.svd(G / np.where(sizes > NULL_LIMIT, sizes, 1.0)[:, None], full_matrices=True)
        return V[int(np.count_nonzero(values > NULL_LIMIT * max(1.0, values.max(initial=0.0)))) :].T

    def _by_newton(self, start: object, guess: object, far: bool) -> Array | None:
        """Return the position near what is given and guessed, None if it is not found or has no velocities.

        Unless it may be `far`, all loops must be closed from the beginning.
        """
        faults = Faults()
        try:
            stated = read_stated_start(self.numeric, start, guess, 0.0, self._parameters, faults)
        except StartError:
            return None
        first = self._rows(POSITIONS, stated.q).surface(stated.q).residual
        if not far and not np.abs(first).max(initial=0.0) < NEARLY_CLOSED:
            return None
        q = self._closed(stated.q, ~stated.fixed_q)
        if q is None:
            return None
        rates = self._rows(VELOCITIES, q).surface(np.zeros(len(q)))
        v = np.linalg.lstsq(rates.G, rates.residual, rcond=NULL_LIMIT)[0]
        return q if np.abs(rates.G @ v - rates.residual).max(initial=0.0) < CLOSED else None

    def _closed(self, guess: Array, free: BoolArray) -> Array | None:
        """Return a position near a guess by Newton's method, None if it is not found.

        Beside the surface redundant rows contradict each other slightly: weak combinations of rows are left out, fewer
        of them if that does not close the mechanism.
        """
        rows = self._rows(POSITIONS, guess)
        for limit in WEAK_LIMITS:
            x = guess.copy()
            for _ in range(NEWTON_LIMIT):
                surface = rows.surface(x)
                if not np.isfinite(surface.residual).all():
                    break
                if np.abs(surface.residual).max(initial=0.0) < CLOSED * CLOSED_FURTHER:
                    return x
                step = np.linalg.lstsq(surface.G[:, free], surface.residual, rcond=limit)[0]
                x[free] -= step
            residual = rows.surface(x).residual
            if np.isfinite(residual).all() and np.abs(residual).max(initial=0.0) < CLOSED:
                return x
        return None


def only_rounding(error: StartError) -> bool:
    """Return whether a start was refused for residuals of the size of rounding."""
    residuals = [abs(x) for x in error.residuals.values()]
    return bool(residuals) and max(residuals) < CLOSED
