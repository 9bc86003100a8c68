"""What friction costs: a slider-crank that rubs in its guide against the ideal one, and stick-slip events in a second.

    python benchmarks/friction.py [--rounds N]        (make bench)

The crank is driven by a torque and turns about 30 times. Friction follows the guide's own reaction, which changes its
sign in every turn; the slip does at both dead points: about 130 events in a run. Runs with and without friction are
made in turns, and the ratio is that of the best times: what else the machine does then meets both. Aim: at most 3.
A mass on a moving belt sticks and slips a thousand times; printed are events per second of the whole call.
"""

from __future__ import annotations

import argparse
import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from sympy import cos, sin

import lienket as lk
from lienket import der

AIM = 3.0


def slider_crank(rough: bool) -> lk.System:
    """Crank phi, rod x, y, theta, slider s, z; with friction of the slider in its guide, or without."""
    r, length, J1, m2, J2, m3, g, M, mu = lk.parameters("r length J1 m2 J2 m3 g M mu")
    phi, x, y, theta, s, z = lk.coordinates("phi x y theta s z")
    kinetic = J1 * der(phi) ** 2 + m2 * (der(x) ** 2 + der(y) ** 2) + J2 * der(theta) ** 2
    kinetic += m3 * (der(s) ** 2 + der(z) ** 2)
    values = {r: 0.1, length: 0.3, J1: 0.02, m2: 0.5, J2: 0.004, m3: 0.8, g: 9.81, M: 1.0, mu: 0.2}
    bodies = lk.System(
        "slider-crank", [phi, x, y, theta, s, z], kinetic=kinetic / 2, potential=g * (m2 * y + m3 * z),
        forces={phi: M}, values=values,
    )  # fmt: skip
    crank_pin = [x - length / 2 * cos(theta) - r * cos(phi), y - length / 2 * sin(theta) - r * sin(phi)]
    bodies = bodies.constrain("crank pin", crank_pin)
    bodies = bodies.constrain("slider pin", [x + length / 2 * cos(theta) - s, y + length / 2 * sin(theta) - z])
    return bodies.constrain("guide", z, law=lk.Coulomb(mu, slip=der(s)) if rough else None)


def belt() -> lk.System:
    """A mass on a spring and a moving belt."""
    m, k, g, mu, static, V = lk.parameters("m k g mu mu_static V")
    x, y = lk.coordinates("x y")
    kinetic, potential = m * (der(x) ** 2 + der(y) ** 2) / 2, k * x**2 / 2 + m * g * y
    values = {m: 1, k: 4, g: 10, mu: 0.2, static: 0.3, V: 0.5}
    mass = lk.System("belt", [x, y], kinetic=kinetic, potential=potential, values=values)
    return mass.constrain("belt", y, law=lk.Coulomb(mu, slip=der(x) - V, mu_static=static))


def turned(system: lk.System, start: object, until: float) -> tuple[float, float, lk.Trajectory]:
    """Seconds of the whole call, of the integration alone, and the motion."""
    clock = time.perf_counter()
    motion = system.simulate(start=start, until=until, times=[until])
    seconds = time.perf_counter() - clock
    return seconds, motion.audit.run.statistics.seconds, motion


def main() -> None:
    """Runs and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    systems = [slider_crank(False), slider_crank(True)]
    guess = {"x": 0.2, "theta": -0.1, "s": 0.39}
    starts = [system.consistent({"phi": 0.3, "phi'": 10.0}, guess=guess) for system in systems]
    best = [(9e9, 9e9)] * 2
    for _ in range(rounds):
        for k, (system, start) in enumerate(zip(systems, starts, strict=True)):
            seconds, inside, motion = turned(system, start, 5.0)
            best[k] = (min(best[k][0], seconds), min(best[k][1], inside))
            steps, events = motion.outcome, len(motion.switches)
    ratio = best[1][0] / best[0][0]
    verdict = "met" if ratio <= AIM else "missed"
    print(f"slider-crank, ideal      {1e3 * best[0][0]:8.2f} ms, {1e3 * best[0][1]:8.2f} ms of it integration")
    print(f"             friction    {1e3 * best[1][0]:8.2f} ms, {1e3 * best[1][1]:8.2f} ms of it, {events} events")
    print(f"ratio {ratio:.2f}   (aim {AIM:g}: {verdict}); {steps}")
    mass = belt()
    turned(mass, {"x": 0.0, "x'": 0.5}, 10.0)
    seconds, _, motion = min((turned(mass, {"x": 0.0, "x'": 0.5}, 1678.0) for _ in range(5)), key=lambda f: f[0])
    count = len(motion.switches)
    print(f"stick-slip: {count} events in {seconds:.3f} s: {count / seconds:.0f} per second")


if __name__ == "__main__":
    main()
