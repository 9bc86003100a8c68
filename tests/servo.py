"""Systems with programs for the tests of drives: the overhead crane, chains of masses, a flexible joint."""

import json
from pathlib import Path

import sympy as sp

import lienket as lk
from lienket import der, t

CASE = json.loads((Path(__file__).parent / "data" / "crane_servo.json").read_text())
s, l, x, z, theta = lk.coordinates("s l x z theta")
m_t, m, J, r, g = lk.parameters("m_t m J r g")
NUMBERS = {name: CASE["params"][name] for name in ("m_t", "m", "J", "r", "g")}
tau = t / sp.Integer(CASE["params"]["Tf"])
c = 126 * tau**5 - 420 * tau**6 + 540 * tau**7 - 315 * tau**8 + 70 * tau**9
X, Z = 5 * c, 4 - 3 * c
LEANING = (x - s) * (g - sp.diff(Z, t, 2)) + z * sp.diff(X, t, 2)
CRANE_DRIVES = {"F": {s: 1}, "M_n": {l: -1 / r}}


def crane():
    """State the overhead crane: trolley s, rope l on a winch, load at (x, z), z down; the rope is a constraint."""
    kinetic = m_t * der(s) ** 2 / 2 + m * (der(x) ** 2 + der(z) ** 2) / 2 + J / r**2 * der(l) ** 2 / 2
    free = lk.System("crane", [s, l, x, z], kinetic=kinetic, potential=-m * g * z, values=NUMBERS)
    return free.constrain("rope", (x - s) ** 2 + z**2 - l**2)


def polar_crane():
    """State the crane without constraints, by trolley, rope length and rope angle."""
    a, b = s + l * sp.sin(theta), l * sp.cos(theta)
    kinetic = m_t * der(s) ** 2 / 2 + m * (a.diff(t) ** 2 + b.diff(t) ** 2) / 2 + J / r**2 * der(l) ** 2 / 2
    return lk.System("polar crane", [s, l, theta], kinetic=kinetic, potential=-m * g * b, values=NUMBERS)


def exact_crane():
    """Return the closed form: s, l and the drives as expressions of t, with numbers for the parameters."""
    values = {sp.Symbol(name): sp.nsimplify(value) for name, value in NUMBERS.items()}
    k = sp.diff(X, t, 2) / (g - sp.diff(Z, t, 2))
    trolley, rope = X + Z * k, Z * sp.sqrt(1 + k**2)
    T = m * (g - sp.diff(Z, t, 2)) * sp.sqrt(1 + k**2)
    force = m_t * sp.diff(trolley, t, 2) - T * (X - trolley) / rope
    torque = r * T - J * sp.diff(rope, t, 2) / r
    return {name: e.subs(values) for name, e in {"s": trolley, "l": rope, "F": force, "M_n": torque}.items()}


def masses(n, damping=False):
    """State a row of n masses with springs between them, and a damper between the first two."""
    positions = lk.coordinates(" ".join(f"x{i}" for i in range(1, n + 1)))
    weights = lk.parameters(" ".join(f"m{i}" for i in range(1, n + 1)))
    springs = lk.parameters(" ".join(f"k{i}" for i in range(1, n))) if n > 2 else (lk.parameters("k1"),)
    potential = sum(k * (b - a) ** 2 / 2 for k, a, b in zip(springs, positions, positions[1:], strict=False))
    rubbed = lk.parameters("d") * (der(positions[0]) - der(positions[1])) ** 2 / 2 if damping else 0
    kinetic = sum(w * der(p) ** 2 / 2 for w, p in zip(weights, positions, strict=True))
    return lk.System("masses", positions, kinetic=kinetic, potential=potential, dissipation=rubbed)
