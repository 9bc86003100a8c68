"""Attack on sensitivities with contacts: random systems beside contacts, against differences of runs.

An open contact leaves the derivatives of the system without it; a closed one those of the system with its constraint.
Everything else is refused by name.
"""

import numpy as np
import pytest
from attack_cases import attack_cases

import lienket as lk
from lienket import der


def drawn(rng):
    """Return a system of two or three coordinates with contacts that mostly stay open, and a start."""
    n = int(rng.integers(2, 4))
    x = [lk.coordinates(f"x{k}") for k in range(n)]
    g, k, c = lk.parameters("g k c")
    A = rng.normal(size=(n, n))
    A = A @ A.T / n + np.eye(n)
    kinetic = sum(A[i, j] * der(x[i]) * der(x[j]) for i in range(n) for j in range(n)) / 2
    potential = g * x[-1] + k * sum(y**2 for y in x) / 2 + k * x[0] ** 3 * x[1] / 5
    values = {"g": float(rng.uniform(0.5, 2)), "k": float(rng.uniform(0.5, 2)), "c": float(rng.uniform(0, 0.3))}
    system = lk.System("masses", x, kinetic=kinetic, potential=potential, forces={x[0]: -c * der(x[0])}, values=values)
    if rng.random() < 0.5:
        system = system.constrain("link", x[0] - (1 + c) * x[1] ** 2 / 4)
    for number in range(int(rng.integers(1, 3))):
        gap = x[int(rng.integers(n))] + c * x[int(rng.integers(n))] ** 2 + float(rng.choice([0.5, 3.0, 5.0]))
        if rng.random() < 0.5:
            law = lk.laws.Unilateral(0.5)
        else:
            law = lk.Coulomb(c + 0.1, slip=der(x[int(rng.integers(n))]), unilateral=True)
        system = system.constrain(f"stop{number}", gap, law=law)
    start = {f"x{i}": float(v) for i, v in enumerate(rng.uniform(-0.3, 0.3, n)) if i > 0}
    start |= {f"x{i}'": float(v) for i, v in enumerate(rng.uniform(-0.5, 0.5, n)) if i > 0}
    return system, start, values


def differences(system, start, values, name, names, until, step=1e-5):
    """Return the central difference of the last state by a parameter or start value."""
    ends = []
    for sign in (-1, 1):
        moved_start = {k: v + sign * step * (k == name) for k, v in start.items()}
        moved_values = {k: v + sign * step * (k == name) for k, v in values.items()}
        run = system.simulate(moved_values, start=moved_start, until=until, rtol=1e-12, atol=1e-13)
        assert run.outcome.complete and not any(len(t) for t in run.events.values())
        ends.append(np.array([run[name][-1] for name in names]))
    return (ends[1] - ends[0]) / (2 * step)


@pytest.mark.parametrize("seed", attack_cases(2))
@pytest.mark.parametrize("mode", ["forward", "adjoint"])
def test_open_contacts_leave_the_derivatives_of_the_free_motion(seed, mode):
    rng = np.random.default_rng([3, seed])
    system, start, values = drawn(rng)
    until, by = 0.8, ["g", "k", "c", *start]
    names = [f"x{i}{mark}" for i in range(len(system.coordinates)) for mark in ("", "'")]
    of = [*names, "x0''", "stop0[0]"]
    try:
        run = system.simulate(start=start, until=until, rtol=1e-10, atol=1e-12)
    except lk.LienketError:  # the start penetrates a contact
        return
    if not run.outcome.complete:
        return
    happened = sorted((t, event) for event, times in run.events.items() for t in times)
    if happened:
        first = "|".join(repr(event) for t, event in happened if t == happened[0][0])  # several at one instant
        with pytest.raises(lk.LienketError, match=f"({first}) at t = "):
            system.sensitivity(start=start, until=until, by=by, of=of, mode=mode)
        return
    found = system.sensitivity(start=start, until=until, by=by, of=of, mode=mode)
    for name in by:
        expected = differences(system, start, values, name, names, until)
        got = np.array([found[x, name] for x in names])
        assert got == pytest.approx(expected, rel=1e-6, abs=1e-6 * (1 + np.max(np.abs(expected))))
        assert found["stop0[0]", name] == 0
    apart = system
    for name in [c for c in run.constraints if c.startswith("stop")]:
        apart = apart.release(name)
    free = apart.sensitivity(start=start, until=until, by=[b for b in by if b in apart_names(apart, start)], of=names)
    for name in free.by:
        assert [found[x, name] for x in names] == pytest.approx([free[x, name] for x in names], rel=1e-8, abs=1e-9)


def apart_names(system, start):
    """Return the names that can be differentiated by in a system."""
    return {p.name for p in system.parameters} | set(start)
