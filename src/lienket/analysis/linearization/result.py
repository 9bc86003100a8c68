"""Linearization: the linear system at a state or a steady motion, its eigenvalues and modes."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array, ComplexArray
from ...foundation.frozen_dataclass import dataclass

EIGENVALUE_ROUNDING_FACTOR = 100.0  # [1] times the rounding error: a part of an eigenvalue within it counts as zero
STEADY_STATE_TOLERANCE = 1e-8  # [1] relative change of the state whose rates count as zero in a steady state
UNCERTAINTY_LIMIT = 1e-3  # [1] largest rounding error of an eigenvalue, relative to |A|
EIGENVALUE_SORT_DIGITS = 9  # [digits] relative to |A|, to which eigenvalues are ordered


@dataclass(frozen=True)
class Linearization:
    """Linear system x' = A x + B u, y = C x + D u of small deviations that satisfy the constraints (theory 15).

    Made by `System.linearize` at a state (t, q, v).

    Attributes
    ----------
    t : float
        Time.
    q, v : ndarray
        Positions and velocities (n).
    coordinates : tuple of str
        Names of the coordinates, n.
    states : tuple of str
        Names of the independent states x: "theta" for a position, "theta'" for a velocity, N.
    inputs : tuple of str
        Names of the parameters whose deviations are the inputs u, m.
    outputs : tuple of str
        Names of the outputs y, deviations of expressions; the states unless others were requested.
    A : ndarray
        System matrix (N x N).
    B : ndarray
        Input matrix (N x m).
    C, D : ndarray
        Output matrices (outputs x N and outputs x m).
    T : ndarray
        Matrix of the deviations of all positions, then all velocities: (dq, dv) = T x (2 n x N).
    rates : ndarray
        Rates x' at the state itself (N); those of velocities vanish in equilibrium and in steady motion.
    drift : ndarray
        Time derivatives of `rates` along the motion (N).
    usual : ndarray
        Typical sizes of the rates in motions of the free system (N), with which `steady` compares.

    Examples
    --------
    >>> x, y = lk.coordinates("x y")
    >>> free = lk.System("pendulum", [x, y], kinetic=(der(x)**2 + der(y)**2)/2, potential=9*y)
    >>> pendulum = free.constrain("rod", x**2 + y**2 - 1)
    >>> linear = pendulum.linearize({"x": 0, "y": -1})
    >>> linear.states, linear.A.round(9).tolist()
    (('x', "x'"), [[0.0, 1.0], [-9.0, 0.0]])
    >>> linear.frequencies.round(9).tolist(), linear.stable, linear.asymptotically_stable
    ([3.0, 3.0], True, False)
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
    def eigenvalues(self) -> ComplexArray:
        """Eigenvalues lambda of A (N complex numbers).

        They are ordered by decreasing real part, then by frequency; complex conjugates are neighbours.
        """
        return self._eigen[0]

    @property
    def modes(self) -> ComplexArray:
        """Right eigenvectors of A (N x N), one column of length 1 per eigenvalue."""
        return self._eigen[1]

    @property
    def mode_shapes(self) -> ComplexArray:
        """Modes in all positions and velocities, T modes (2 n x N)."""
        return self.T @ self.modes

    @property
    def uncertainty(self) -> Array:
        """Rounding error of each eigenvalue (N): eps |A| over the cosine between its left and right eigenvectors.

        It is large for multiple eigenvalues with fewer modes, such as the two zeros of a body that may drift.
        """
        return self._eigen[2]

    @property
    def frequencies(self) -> Array:
        """Natural frequencies |lambda| in radians per unit of time (N)."""
        return np.abs(self.eigenvalues)

    @property
    def damping(self) -> Array:
        """Damping ratios -Re lambda/|lambda| (N).

        1 is decay without oscillation, a negative ratio is growth; it is 0 for lambda = 0.
        """
        size = self.frequencies
        return np.where(size > 0, -self.eigenvalues.real / np.where(size > 0, size, 1.0), 0.0) + 0.0  # no -0.

    @property
    def stable(self) -> bool:
        """Whether no small deviation grows exponentially: no real part is positive beyond rounding."""
        return bool(np.all(self.eigenvalues.real <= EIGENVALUE_ROUNDING_FACTOR * self.uncertainty))

    @property
    def asymptotically_stable(self) -> bool:
        """Whether all small deviations decay: every real part is negative beyond rounding."""
        return bool(np.all(self.eigenvalues.real < -EIGENVALUE_ROUNDING_FACTOR * self.uncertainty))

    @cached_property
    def steady(self) -> bool:
        """Whether the state is an equilibrium or a steady motion: the rates of the independent velocities vanish.

        Their time derivatives along the motion must vanish too, so that a pendulum that swings through its lowest point
        is not steady. If the state is not steady, A is that of the system frozen at this state, and its eigenvalues do
        not decide on stability.
        """
        fast = np.array([name.endswith("'") for name in self.states], dtype=bool)
        x = np.concatenate([self.q, self.v])
        indices = [self._all.index(name) for name in self.states]
        size = np.maximum(np.abs(x[indices]), 1.0)
        limit = STEADY_STATE_TOLERANCE * (np.abs(self.A) @ size + self.usual)[fast]
        return bool(np.all(np.abs(self.rates[fast]) <= limit) and np.all(np.abs(self.drift[fast]) <= limit))

    # For people and other tools

    def state_space(self) -> Any:
        """Return the linear system for the package python-control.

        Returns
        -------
        control.StateSpace
            A, B, C, D with the names of states, inputs and outputs.

        Raises
        ------
        LienketError
            If python-control is not installed.
        """
        try:
            import control
        except ImportError:
            raise LienketError("state_space() needs the package python-control: pip install control.") from None
        named = {"states": list(self.states), "inputs": list(self.inputs), "outputs": list(self.outputs)}
        return control.ss(self.A, self.B, self.C, self.D, **named)

    def text(self) -> str:
        """Return the states and eigenvalues in plain text.

        Returns
        -------
        str
            One line per eigenvalue, complex pairs in one, equal ones in one with their number: "0 (double)"; parts
            below the rounding error are shown as 0.
        """
        head = f"{len(self.states)} states: {', '.join(self.states)}"
        kind = (
            "a steady state"
            if self.steady
            else "a state that is not steady: A is that of the system frozen at this state"
        )
        lines = [head, f"t = {self.t:g}, {kind}", "eigenvalue                        frequency   damping"]
        for (real, imaginary), count in self._distinct().items():
            shown = real + (f" +- {imaginary}i" if float(imaginary) else "")
            size = np.hypot(float(real), float(imaginary))
            damping = -float(real) / size + 0.0 if size else 0.0
            lines.append(f"{shown + _multiplicity(count):32}  {size:9.5g}  {damping:8.4f}")
        words = {(True, True): "asymptotically stable", (True, False): "no deviation grows exponentially"}
        lines.append(words.get((self.stable, self.asymptotically_stable), "unstable"))
        if self._distinct().get(("0", "0"), 0) > 1:
            lines.append("0 is a multiple eigenvalue: deviations may grow in proportion to time")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()

    # Inside

    def _distinct(self) -> dict[tuple[str, str], int]:
        """Return the number of eigenvalues, or of complex pairs, by real and imaginary part as they are shown.

        A double eigenvalue with one mode may be computed as a pair whose imaginary part is a rounding error: it counts
        twice.
        """
        counts: dict[tuple[str, str], int] = {}
        for value, rounding in zip(self.eigenvalues, EIGENVALUE_ROUNDING_FACTOR * self.uncertainty, strict=True):
            if value.imag < 0:
                continue  # counted with its conjugate
            real, imaginary = (f"{x if abs(x) > rounding else 0.0:.7g}" for x in (value.real, value.imag))
            split = value.imag > 0 and imaginary == "0"
            counts[real, imaginary] = counts.get((real, imaginary), 0) + (2 if split else 1)
        return counts

    @property
    def _all(self) -> list[str]:
        """Names of all positions, then all velocities."""
        return [*self.coordinates, *(f"{x}'" for x in self.coordinates)]

    @cached_property
    def _eigen(self) -> tuple[ComplexArray, ComplexArray, Array]:
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


def _multiplicity(count: int) -> str:
    """Return how often an eigenvalue occurs, as it is added to its number."""
    words = {1: "", 2: " (double)", 3: " (triple)"}
    return words.get(count, f" ({count}-fold)")
