"""Laws of friction that can be identified, as functions linear in all but one of their parameters.

    F = -(mu + (mu_static - mu) exp(-|v|/stribeck)) |N| sign(v) - viscous v + offset

F is the tangential force on the body, N the normal force, v the sliding velocity. With w = exp(-|v|/stribeck) and
push = -|N| sign(v) it is F = mu push (1 - w) + mu_static push w - viscous v + offset, linear for a given stribeck.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...foundation.arrays import Array

LAWS = {
    "coulomb": ("mu",),
    "coulomb+viscous": ("mu", "viscous"),
    "stribeck": ("mu", "mu_static", "stribeck"),
    "stribeck+viscous": ("mu", "mu_static", "stribeck", "viscous"),
}
"""Parameters of each law, in order."""


def columns(names: tuple[str, ...], normal: Array, slip: Array, stribeck: float | None) -> Array:
    """Return the factors of the linear parameters among `names`: n x (all but stribeck)."""
    push = -np.abs(normal) * np.sign(slip)
    fading = np.zeros_like(push) if stribeck is None else np.exp(-np.abs(slip) / stribeck)
    factors = {"mu": push * (1 - fading), "mu_static": push * fading, "viscous": -slip, "offset": np.ones_like(push)}
    return np.column_stack([factors[name] for name in names if name != "stribeck"])


def slopes(names: tuple[str, ...], normal: Array, slip: Array, values: Mapping[str, float]) -> Array:
    """Return dF/d(parameter), n x p, in the order of `names`."""
    stribeck = values.get("stribeck")
    linear = columns(names, normal, slip, stribeck)
    if stribeck is None:
        return linear
    push = -np.abs(normal) * np.sign(slip)
    speed = np.abs(slip)
    by_stribeck = push * (values["mu_static"] - values["mu"]) * np.exp(-speed / stribeck) * speed / stribeck**2
    return np.insert(linear, names.index("stribeck"), by_stribeck, axis=1)


def friction(values: Mapping[str, float], normal: Array, slip: Array) -> Array:
    """Return the force F of the law with these values; parameters that are left out are zero or have no effect."""
    names = tuple(name for name in values if name != "stribeck")
    X = columns(names, normal, slip, values.get("stribeck"))
    return X @ np.array([values[name] for name in names])
