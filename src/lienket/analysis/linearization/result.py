"""Linearization: the linear system at a state or a steady motion, its eigenvalues and modes."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass

Array = Any

EIGENVALUE_ROUNDING_FACTOR = 100.0  # [1] times the rounding error: a part of an eigenvalue within it counts as zero
STEADY_STATE_TOLERANCE = 1e-8  # [1] relative change of the state whose rates count as zero in a steady state
UNCERTAINTY_LIMIT = 1e-3  # [1] largest rounding error of an eigenvalue, relative to |A|
EIGENVALUE_SORT_DIGITS = 9  # [digits] relative to |A|, to which eigenvalues are ordered


@dataclass(frozen=True, eq=False)
class Linearization:
    """x' = A x + B u, y = C x + D u for small deviations that keep the constraints (theory 15).

    A (N x N)    of the independent states x, named in `states` ("theta" a position, "theta'" a velocity)
    B (N x m)    of the inputs u, which are deviations of parameters
    C, D         of the outputs y, which are deviations of expressions; the states unless others were asked for
    T (2 n x N)  the deviations of all positions, then all velocities, T x; `coordinates` has their names
    rates (N)    x' at the state itself, and `drift` (N) their rates along the motion: both vanish for velocities in
                 equilibrium and in steady motion; `usual` (N) are sizes that rates have in motions of the free system
    t, q, v      the state
    """

    t: float
    q: Array
    v: Array
    coordinates: tuple[str, ...]
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    A: Array
    B: Array
    C: Array
    D: Array
    T: Array
    rates: Array
    drift: Array
    usual: Array

    # Eigenvalues

    @property
    def eigenvalues(self) -> Array:
        """The eigenvalues of A, N complex numbers: growing ones first, then by frequency, conjugates together."""
        return self._eigen[0]

    @property
    def modes(self) -> Array:
        """The right eigenvectors of A, N x N, a column for each eigenvalue, of length 1."""
        return self._eigen[1]

    @property
    def mode_shapes(self) -> Array:
        """The modes in all positions and velocities, T modes, 2 n x N."""
        return self.T @ self.modes

    @property
    def uncertainty(self) -> Array:
        """What rounding in A does to each eigenvalue, eps |A| over the cosine of its left and right vectors, N.

        Multiple eigenvalues with fewer modes, such as the two zeros of a body that may drift, are the uncertain ones.
        """
        return self._eigen[2]

    @property
    def frequencies(self) -> Array:
        """|lambda| of each eigenvalue, in radians per unit of time: the natural frequencies."""
        return np.abs(self.eigenvalues)

    @property
    def damping(self) -> Array:
        """-Re lambda/|lambda|, the damping ratio: 1 or more decays without oscillation, negative grows; 0 for 0."""
        size = self.frequencies
        return np.where(size > 0, -self.eigenvalues.real / np.where(size > 0, size, 1.0), 0.0) + 0.0  # no -0.

    @property
    def stable(self) -> bool:
        """Whether no eigenvalue has a positive real part, beyond rounding: no small deviation grows exponentially."""
        return bool(np.all(self.eigenvalues.real <= EIGENVALUE_ROUNDING_FACTOR * self.uncertainty))

    @property
    def asymptotically_stable(self) -> bool:
        """Whether every eigenvalue has a negative real part, beyond rounding: all small deviations die out."""
        return bool(np.all(self.eigenvalues.real < -EIGENVALUE_ROUNDING_FACTOR * self.uncertainty))

    @cached_property
    def steady(self) -> bool:
        """Whether the state is an equilibrium or a steady motion: the independent velocities do not change.

        Nor do their rates along the motion, so that a pendulum that swings through its lowest point is not steady.
        Otherwise A is that of the system frozen at this state, and its eigenvalues do not decide on stability.
        """
        fast = np.array([name.endswith("'") for name in self.states], dtype=bool)
        x = np.concatenate([self.q, self.v])
        indices = [self._all.index(name) for name in self.states]
        size = np.maximum(np.abs(x[indices]), 1.0)
        limit = STEADY_STATE_TOLERANCE * (np.abs(self.A) @ size + self.usual)[fast]
        return bool(np.all(np.abs(self.rates[fast]) <= limit) and np.all(np.abs(self.drift[fast]) <= limit))

    # For people and other tools

    def state_space(self) -> Any:
        """The same as a `control.StateSpace` of the package python-control."""
        try:
            import control
        except ImportError:
            raise LienketError("state_space() needs the package python-control: pip install control.") from None
        named = {"states": list(self.states), "inputs": list(self.inputs), "outputs": list(self.outputs)}
        return control.ss(self.A, self.B, self.C, self.D, **named)

    def text(self) -> str:
        """A table with a line for each eigenvalue, complex pairs in one; what may be rounding is shown as 0."""
        head = f"{len(self.states)} states: {', '.join(self.states)}"
        kind = (
            "a steady state"
            if self.steady
            else "a state that is not steady: A is that of the system frozen at this state"
        )
        lines = [head, f"t = {self.t:g}, {kind}", "eigenvalue                        frequency   damping"]
        for value, rounding in zip(self.eigenvalues, EIGENVALUE_ROUNDING_FACTOR * self.uncertainty, strict=True):
            if value.imag < 0:
                continue
            real, imaginary = (x if abs(x) > rounding else 0.0 for x in (value.real, value.imag))
            shown = f"{real:.7g}" + (f" +- {imaginary:.7g}i" if imaginary else "")
            size = np.hypot(real, imaginary)
            lines.append(f"{shown:32}  {size:9.5g}  {-real / size + 0.0 if size else 0.0:8.4f}")
        words = {(True, True): "asymptotically stable", (True, False): "no deviation grows exponentially"}
        lines.append(words.get((self.stable, self.asymptotically_stable), "unstable"))
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    # Inside

    @property
    def _all(self) -> list[str]:
        """Names of all positions, then all velocities."""
        return [*self.coordinates, *(f"{x}'" for x in self.coordinates)]

    @cached_property
    def _eigen(self) -> tuple[Array, Array, Array]:
        """Eigenvalues, right eigenvectors and rounding errors, in order."""
        if not len(self.A):
            return np.zeros(0, complex), np.zeros((0, 0), complex), np.zeros(0)
        from scipy.linalg import eig

        values, left, right = eig(self.A, left=True, right=True)
        cosine = np.abs(np.sum(left.conj() * right, axis=0))
        norm = np.linalg.norm(self.A)
        with np.errstate(divide="ignore"):
            rounding = np.minimum(np.finfo(float).eps * norm / cosine, UNCERTAINTY_LIMIT * norm)
        # Rounding must not separate a conjugate pair or decide the order of equal eigenvalues.
        digits = EIGENVALUE_SORT_DIGITS - (int(np.floor(np.log10(norm))) if norm > 0 else 0)
        order = np.lexsort((-values.imag, np.abs(values.imag).round(digits), -values.real.round(digits)))
        sorted_arrays = values[order] + 0.0, right[:, order], rounding[order]
        for array in sorted_arrays:
            array.setflags(write=False)
        return sorted_arrays
