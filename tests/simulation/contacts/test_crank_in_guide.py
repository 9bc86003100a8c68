"""A slider-crank whose slider has friction in its guide; the guide's reaction changes its sign.

The reference is an integration by SciPy of Newton's and Euler's equations in the crank angle, with joint forces as
unknowns. The signs of slip and of the guide's force are fixed between events, which SciPy locates.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from sympy import cos, sin

import lienket as lk
from lienket import der

R, L, CRANK, ROD, ROD_INERTIA, SLIDER, MU, STATIC = 0.1, 0.3, 0.02, 0.5, 0.004, 0.8, 0.2, 0.25
GUESS = {"x": 0.2, "theta": -0.1, "s": 0.39}
TIGHT = {"rtol": 1e-11, "atol": 1e-13}


def mechanism(**law):
    """Return crank phi, rod x, y, theta about its centre, slider s, z; z = 0 is the guide."""
    g, M, mu = lk.parameters("g M mu")
    phi, x, y, theta, s, z = lk.coordinates("phi x y theta s z")
    kinetic = CRANK * der(phi) ** 2 + ROD * (der(x) ** 2 + der(y) ** 2) + ROD_INERTIA * der(theta) ** 2
    kinetic += SLIDER * (der(s) ** 2 + der(z) ** 2)
    values = {g: 9.81, M: 0.0, mu: MU}
    bodies = lk.System(
        "slider-crank", [phi, x, y, theta, s, z], kinetic=kinetic / 2, potential=g * (ROD * y + SLIDER * z),
        forces={phi: M}, values=values,
    )  # fmt: skip
    bodies = bodies.constrain(
        "crank pin", [x - L / 2 * cos(theta) - R * cos(phi), y - L / 2 * sin(theta) - R * sin(phi)]
    )
    bodies = bodies.constrain("slider pin", [x + L / 2 * cos(theta) - s, y + L / 2 * sin(theta) - z])
    return bodies.constrain("guide", z, law=lk.Coulomb(mu, slip=der(s), **{"mu_static": STATIC} | law))


class NewtonEuler:
    """Newton's and Euler's equations of the mechanism, y = (phi, phi')."""

    def __init__(self, gravity, torque):
        self.gravity, self.torque = gravity, torque

    def slip(self, y):
        theta = -np.arcsin(R * np.sin(y[0]) / L)
        rate = -R * np.cos(y[0]) * y[1] / (L * np.cos(theta))
        return -R * np.sin(y[0]) * y[1] - L * np.sin(theta) * rate

    def solved(self, y, coefficient, still=False):
        """Return [phi'' P Q N f]: pin forces on the rod, guide force, friction f = coefficient N (or phi'' = 0)."""
        phi, w = y
        theta = -np.arcsin(R * np.sin(phi) / L)
        c, s, C, S = np.cos(phi), np.sin(phi), np.cos(theta), np.sin(theta)
        turn = -R * c / (L * C)  # theta' = turn phi', theta'' = turn phi'' + rest
        rest = (R * s * w**2 + L * S * (turn * w) ** 2) / (L * C)
        # Centre of the rod and slider: a = factor phi'' + rest.
        x = (-R * s - L / 2 * S * turn, -R * c * w**2 - L / 2 * (C * (turn * w) ** 2 + S * rest))
        y_ = (R * c + L / 2 * C * turn, -R * s * w**2 + L / 2 * (-S * (turn * w) ** 2 + C * rest))
        slide = (-R * s - L * S * turn, -R * c * w**2 - L * (C * (turn * w) ** 2 + S * rest))
        half = L / 2
        matrix = np.array([
            [CRANK, -R * s, R * c, 0, 0, 0, 0],
            [ROD * x[0], -1, 0, -1, 0, 0, 0],
            [ROD * y_[0], 0, -1, 0, -1, 0, 0],
            [ROD_INERTIA * turn, -half * S, half * C, half * S, -half * C, 0, 0],
            [SLIDER * slide[0], 0, 0, 1, 0, 0, -1],
            [0, 0, 0, 0, -1, 1, 0],
            [1, 0, 0, 0, 0, 0, 0] if still else [0, 0, 0, 0, 0, -coefficient, 1],
        ])  # fmt: skip
        right = np.array([
            self.torque, -ROD * x[1], -ROD * (y_[1] + self.gravity), -ROD_INERTIA * rest, -SLIDER * slide[1],
            SLIDER * self.gravity, 0.0,
        ])  # fmt: skip
        return np.linalg.solve(matrix, right)

    def run(self, y, until):
        """Return SciPy's solutions between sign changes; the last one ends where the slider sticks, or at the end."""
        t, y, pieces = 0.0, np.array(y, float), []
        direction, sense = np.sign(self.slip(y)), 1.0
        if sense * self.solved(y, -MU * direction * sense)[5] < 0:
            sense = -1.0
        while True:
            share = -MU * direction * sense
            rates = lambda t, y, share=share: [y[1], self.solved(y, share)[0]]  # noqa: E731
            stops = lambda t, y, d=direction: d * self.slip(y)  # noqa: E731
            turns = lambda t, y, share=share, s=sense: s * self.solved(y, share)[5]  # noqa: E731
            for event in (stops, turns):
                event.terminal, event.direction = True, -1
            piece = solve_ivp(rates, (t, until), y, method="DOP853", rtol=1e-12, atol=1e-14, events=[stops, turns],
                              dense_output=True)  # fmt: skip
            t, y = piece.t[-1], piece.y[:, -1]
            what = "end" if piece.status == 0 else "stops" if len(piece.t_events[0]) else "turns"
            pieces.append((piece, share, what))
            if pieces[-1][2] == "end":
                return pieces
            if pieces[-1][2] == "turns":
                sense = -sense
                continue
            if abs(y[1]) < 1e-6:
                held = self.solved(y, 0.0, still=True)
                if abs(held[6]) <= STATIC * abs(held[5]):
                    return pieces
            direction = -direction


def compared(motion, oracle, pieces):
    """Compare events, and return the largest differences of angles and (relative) joint forces between them."""
    expected = [(f"guide {what}", piece.t[-1]) for piece, _, what in pieces if what != "end"]
    events = [(switch.event, switch.t) for switch in motion.switches]
    assert [name for name, _ in events] == [name for name, _ in expected]
    assert max(abs(a - b) for (_, a), (_, b) in zip(events, expected, strict=True)) < 1e-8
    apart = []
    for piece, share, _ in pieces:
        times = np.linspace(piece.t[0], piece.t[-1], 12)[1:-1]
        rows, states = motion.sampled(times), piece.sol(times)
        forces = np.array([oracle.solved(y, share)[1:] for y in states.T])
        pins, guide = (rows.reactions["crank pin"], rows.reactions["slider pin"]), rows.reactions["guide"]
        own = np.column_stack([pins[0][:, 1:3], pins[1][:, 1:3], guide[:, 5], guide[:, 4]])
        apart.append((np.abs(rows.q[:, 0] - states[0]).max(), np.abs(own - forces).max() / np.abs(forces).max()))
    return np.max(apart, axis=0)


def imbalance(motion):
    """Return the energy imbalance relative to the energy."""
    energy = motion.energy
    return np.abs(energy.imbalance).max() / np.abs(energy.kinetic).max()


@pytest.mark.parametrize("static", [STATIC, None])
@pytest.mark.parametrize(
    ("gravity", "torque", "speed", "until"), [(9.81, 0.0, 60.0, 0.6), (9.81, 1.5, 10.0, 1.2), (2.0, -0.7, 20.0, 2.0)]
)
def test_driven_and_free(gravity, torque, speed, until, static):
    """The guide pushes from below and from above during a revolution, and friction follows its force.

    Without a separate static coefficient the slider reverses within the integrator.
    """
    motion = mechanism(mu_static=static).simulate(
        {"g": gravity, "M": torque}, start={"phi": 0.3, "phi'": speed}, guess=GUESS, until=until, **TIGHT
    )
    oracle = NewtonEuler(gravity, torque)
    angle, force = compared(motion, oracle, oracle.run([0.3, speed], until))
    assert angle < 1e-8
    assert force < 1e-7
    assert len(motion.events["guide turns"]) >= 6
    assert len(motion.events["guide stops"]) >= 3
    assert imbalance(motion) < 1e-9


def test_free_until_it_sticks():
    """The crank turns, swings and finally sticks; it stays there for the rest of ten minutes."""
    motion = mechanism().simulate(start={"phi": 0.3, "phi'": 20.0}, guess=GUESS, until=600, **TIGHT)
    oracle = NewtonEuler(9.81, 0.0)
    pieces = oracle.run([0.3, 20.0], 600)
    angle, force = compared(motion, oracle, pieces)
    assert angle < 1e-8
    assert force < 1e-7
    stuck = motion.switches[-1]
    assert stuck.added == ("guide, sticking",)
    assert np.abs(motion.q[motion.t > stuck.t] - stuck.q).max() < 1e-12
    held = oracle.solved(pieces[-1][0].y[:, -1], 0.0, still=True)
    contact = motion.at(600).contacts["guide"]
    assert contact.mode == "sticks"
    assert [contact.normal, contact.friction] == pytest.approx([held[5], held[6]], rel=1e-7)
    assert imbalance(motion) < 1e-9


def test_without_gravity_the_motion_never_stops():
    """Without gravity friction is quadratic in the speed, so the motion never stops; a level rod unloads the guide."""
    motion = mechanism().simulate({"g": 0.0}, start={"phi": 0.3, "phi'": 20.0}, guess=GUESS, until=50, **TIGHT)
    assert motion.outcome.reason == "finished"
    assert motion.v[-1, 0] > 0.5
    assert imbalance(motion) < 1e-9
    guide, slip = motion.reactions["guide"], motion.v[:, 4]
    off = guide[:, 4] + MU * np.abs(guide[:, 5]) * np.sign(slip)
    sliding = np.abs(slip) > 1e-9
    assert np.abs(off[sliding]).max() < 1e-9 * np.abs(guide[:, 5]).max()


def test_at_usual_tolerances():
    """At a tolerance of 1e-8 the energy balance, which is integrated along, holds to 1e-9."""
    motion = mechanism().simulate(start={"phi": 0.3, "phi'": 60.0}, guess=GUESS, until=0.6)
    assert imbalance(motion) < 1e-9
