"""Random linear systems under inputs of random forms, in forces, potentials and a constraint, beside SciPy.

    M q'' + C q' + K q = B u(t, q, q') + a lambda,     a^T q^(level) = w(t)

SciPy integrates the equations in blocks between the sample times; it knows the inputs as plain Python functions.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import lienket as lk
from lienket import der

END = 1.7
SMOOTH = ["number", "curve", "text", "table", "nothing"]
AGREEMENT = 1e-8  # [1] relative to the size of the state; both runs have tolerances of 1e-11 or less


class Input:
    """What is stated for one input, and the same as `value(t, state, order)` for SciPy."""

    def __init__(self, kind, name, q, draw):
        n, (size, rate, phase) = len(q), draw.normal(size=3).round(3)
        gains = (draw.normal(size=2 * n) / 2).round(3)
        self.held, self.every, self.next = 0.0, 0.0, 0.0
        self.kind = kind
        if kind in ("nothing", "number"):
            number = 0.0 if kind == "nothing" else size
            self.stated, self.value = (None if kind == "nothing" else number), lambda t, y, order: number * (order == 0)
        elif kind in ("curve", "text"):
            wave = f"{size}*sin({rate}*t + ({phase}))"
            self.stated = (
                wave
                if kind == "text"
                else size * lk.function("wave_" + name, np.sin, derivatives=[np.cos])(rate * lk.t + phase)
            )
            self.value = lambda t, y, order: size * rate**order * np.sin(rate * t + phase + order * np.pi / 2)
        elif kind == "table":
            cubic = np.polynomial.Polynomial(draw.normal(size=4).round(2))
            times = np.linspace(0, 2, 9)
            self.stated = lk.table("table_" + name, times, cubic(times))
            self.value = lambda t, y, order: cubic.deriv(order)(t)
        else:
            self._feedback(kind, q, gains, size, draw)

    def _feedback(self, kind, q, gains, size, draw):
        n = len(q)
        self.value = lambda t, y, order: gains @ y + size * t
        if kind == "feedback":
            motion = [*q, *(der(x) for x in q)]
            self.stated = sum(gain * z for gain, z in zip(gains, motion, strict=True)) + size * lk.t
            return

        def call(t, position, speed):
            return gains[:n] @ position + gains[n:] @ speed + size * t

        self.stated, self.call = call, call
        if kind == "sampled":
            self.every = float(draw.choice([0.1, 0.25, 0.37]))
            self.stated = lk.Sampled(call, every=self.every)
            self.value = lambda t, y, order: self.held


class Case:
    """A random system with its inputs, for lienket and for SciPy."""

    def __init__(self, seed):
        draw = self.draw = np.random.default_rng(seed)
        n, inputs = int(draw.integers(1, 4)), int(draw.integers(1, 4))
        self.q = [lk.coordinates(f"q{i}") for i in range(n)]
        v, u = [der(x) for x in self.q], [lk.inputs(f"u{i}") for i in range(inputs)]
        root, stiff = draw.normal(size=(2, n, n)).round(2)
        self.M, self.K = root @ root.T + 2 * np.eye(n), stiff @ stiff.T + np.eye(n)
        self.C, self.B = 0.3 * draw.normal(size=(n, n)), draw.normal(size=(n, inputs))
        in_potential = draw.random(inputs) < 0.3
        pull, hold = self.B * ~in_potential, self.B * in_potential
        self.level = int(draw.integers(3)) if n > 1 and draw.random() < 0.5 else None
        w = lk.inputs("w")
        system = lk.System(
            f"case {seed}", self.q,
            kinetic=v @ self.M @ v / 2,
            potential=np.array(self.q) @ self.K @ self.q / 2 - np.array(self.q) @ hold @ u,
            forces={x: pull[i] @ u - self.C[i] @ v for i, x in enumerate(self.q)},
            inputs=u if self.level is None else [*u, w],
        )  # fmt: skip
        self.a = draw.normal(size=n)
        if self.level is not None:
            row = sum(
                factor * (der(x, self.level) if self.level else x) for factor, x in zip(self.a, self.q, strict=True)
            )
            system = system.constrain("guide", row - w)
        self.system = system
        kinds = [SMOOTH + ["sampled"] + ([] if p else ["python", "feedback"]) for p in in_potential]
        self.u = [Input(str(draw.choice(k)), f"u{i}", self.q, draw) for i, k in enumerate(kinds)]
        smooth = ["number", "text", "table", "nothing"]  # a Python function has one derivative only
        self.w = None if self.level is None else Input(str(draw.choice(smooth)), "w", self.q, draw)
        self.stated = {f"u{i}": entry.stated for i, entry in enumerate(self.u)}
        self.stated |= {} if self.w is None else {"w": self.w.stated}

    def rates(self, t, y):
        """Return (q', q'') from the equations with the multiplier."""
        n = len(self.q)
        h = self.B @ [entry.value(t, y, 0) for entry in self.u] - self.K @ y[:n] - self.C @ y[n:]
        if self.w is None:
            return np.append(y[n:], np.linalg.solve(self.M, h))
        saddle = np.block([[self.M, self.a[:, None]], [self.a, np.zeros(1)]])
        return np.append(y[n:], np.linalg.solve(saddle, np.append(h, self.w.value(t, y, 2 - self.level)))[:n])

    def final_state(self, y):
        """Return (q, q') at the end from those at the start, by SciPy."""
        sampled, t = [entry for entry in self.u if entry.every], 0.0
        n, counts = len(self.q), dict.fromkeys(range(len(self.u)), 0)
        while t < END:
            for k, entry in enumerate(sampled):
                if counts[k] * entry.every <= t + 1e-12:
                    entry.held, counts[k] = entry.call(t, y[:n], y[n:]), counts[k] + 1
            following = min([END, *(counts[k] * entry.every for k, entry in enumerate(sampled))])
            if following - t > 1e-12:
                y = solve_ivp(self.rates, (t, following), y, "DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
            t = following
        return y


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100))
def test_random_inputs_move_random_systems_as_scipy_says(seed):
    case = Case(seed)
    start = {}
    if case.w is None:
        numbers = case.draw.normal(size=2 * len(case.q)).round(2)
        names = [f"q{i}{mark}" for mark in ("", "'") for i in range(len(case.q))]
        start = dict(zip(names, numbers, strict=True))
    method = str(case.draw.choice(["auto", "dop853", "radau5"]))
    events = [lk.Event("passes", when=case.q[0] - 0.1)] if case.draw.random() < 0.3 else ()
    motion = case.system.simulate(
        start=start, until=END, inputs=case.stated, method=method, rtol=1e-11, atol=1e-13, events=events
    )
    assert motion.outcome.complete, motion.outcome
    first, last = (np.append(motion.q[k], motion.v[k]) for k in (0, -1))
    if case.w is not None and case.level < 2:
        n = len(case.q)
        assert case.a @ first[case.level * n :][:n] == pytest.approx(case.w.value(0, first, 0), abs=1e-10)
    expected = case.final_state(first)
    np.testing.assert_allclose(last, expected, rtol=0, atol=AGREEMENT * (1 + np.abs(expected).max()))
