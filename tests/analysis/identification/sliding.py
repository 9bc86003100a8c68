"""Synthetic measurements of friction, with known parameters and noise."""

import numpy as np

TRUE = {"mu": 0.3, "mu_static": 0.5, "stribeck": 0.2, "viscous": 2.0, "offset": 0.7}
LAWS = ("coulomb", "coulomb+viscous", "stribeck", "stribeck+viscous")


def measurement(law, seed=0, n=200, sigma=0.5, rho=0.0, offset=False):
    """Return (tangential, normal, slip) of n samples in both directions up to speed 1.5, with AR(1) noise (rho)."""
    rng = np.random.default_rng(seed)
    s = np.linspace(0, 1, n)
    slip, normal = 1.5 * np.sin(6 * np.pi * s + 0.1), 20 + 5 * np.cos(2.6 * np.pi * s)
    rise = (TRUE["mu_static"] - TRUE["mu"]) * np.exp(-np.abs(slip) / TRUE["stribeck"]) if "stribeck" in law else 0.0
    force = -(TRUE["mu"] + rise) * np.abs(normal) * np.sign(slip)
    force = force - (TRUE["viscous"] * slip if "viscous" in law else 0) + (TRUE["offset"] if offset else 0)
    noise = rng.normal(size=n)
    for i in range(1, n) if rho else ():
        noise[i] = rho * noise[i - 1] + np.sqrt(1 - rho**2) * noise[i]
    return force + sigma * noise, normal, slip
