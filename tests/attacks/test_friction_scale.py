"""The friction of a contact does not depend on how its constraint is written: g, c g, g f(q), a tangent, exp(g) - 1."""

import numpy as np
import pytest
import sympy as sp
from attack_cases import attack_cases

import lienket as lk
from lienket import der

x, y, z, phi = lk.coordinates("x y z phi")


def written(g, rng, q):
    """Return g in another form with the same zeros and the same sign."""
    c = float(10 ** rng.uniform(-3, 3))
    forms = [
        c * g,
        c * g * (1 + q[0] ** 2 / 4),
        c * g * sp.exp(sp.sin(q[1])),
        c * (sp.exp(g) - 1),
        c * sp.sinh(g) * (2 + sp.cos(q[0])),
        c * (g + g**3),
        c * sp.atan(g) if rng.random() < 0.5 else c * sp.tanh(g),
    ]
    return forms[rng.integers(len(forms))]


def law(rng, slip, **more):
    options = [{}, {"unilateral": True}, {"smooth": 0.3}, {"mu_static": 0.6}, {"viscous": 0.2}]
    options += [{"mu_static": 0.7, "stribeck": 0.5, "unilateral": True}]
    return lk.Coulomb(float(rng.uniform(0.05, 0.5)), slip=slip, **options[rng.integers(len(options))], **more)


def particle(rng):
    """Return (system, distance, law, state) of a particle on a plane, circle or sphere."""
    n = int(rng.integers(2, 4))
    q, m = (x, y, z)[:n], float(10 ** rng.uniform(-1, 1))
    F = {s: float(f) for s, f in zip(q, rng.normal(size=n) * 5, strict=True)}
    system = lk.System("particle", list(q), kinetic=m * sum(der(s) ** 2 for s in q) / 2, forces=F)
    normal = rng.normal(size=n)
    normal /= np.linalg.norm(normal)
    tangent = rng.normal(size=n)
    tangent -= normal * (normal @ tangent)
    tangent /= np.linalg.norm(tangent)
    v = tangent * rng.choice([-1.0, 0.0, 1.0]) * rng.uniform(0.2, 2)
    if n == 2 and rng.random() < 0.5:  # a circle around the origin; the slip is the velocity along it
        R = float(rng.uniform(0.5, 3))
        g, slip = sp.sqrt(x**2 + y**2) - R, (x * der(y) - y * der(x)) / sp.sqrt(x**2 + y**2)
        return system, g, law(rng, slip), (R * normal, v), q
    d = float(rng.normal())
    g = sum(float(a) * s for a, s in zip(normal, q, strict=True)) - d
    slip = sum(float(a) * der(s) for a, s in zip(tangent, q, strict=True))
    return system, g, law(rng, slip), (normal * d + tangent * rng.normal(), v), q


def body(rng):
    """Return (system, distance, law, state) of a body in the plane with a corner on an inclined line."""
    m, J = rng.uniform(0.5, 3, size=2)
    T = float(m) * (der(x) ** 2 + der(y) ** 2) / 2 + float(J) * der(phi) ** 2 / 2
    F = {s: float(f) for s, f in zip((x, y, phi), rng.normal(size=3) * 5, strict=True)}
    system = lk.System("body", [x, y, phi], kinetic=T, forces=F)
    arm, angle, a = float(rng.uniform(0.2, 1)), float(rng.uniform(-3, 3)), float(rng.uniform(-1, 1))
    p = (x + arm * sp.cos(phi), y + arm * sp.sin(phi))
    n, t = (-np.sin(a), np.cos(a)), (np.cos(a), np.sin(a))
    g = float(n[0]) * p[0] + float(n[1]) * p[1]
    slip = float(t[0]) * sp.diff(p[0], lk.t) + float(t[1]) * sp.diff(p[1], lk.t)
    corner, w, speed = rng.normal() * np.array(t), rng.normal(), rng.choice([-1.0, 0.0, 1.0]) * rng.uniform(0.2, 2)
    q = np.array([*(corner - arm * np.array([np.cos(angle), np.sin(angle)])), angle])
    v = speed * np.array(t) - arm * w * np.array([-np.sin(angle), np.cos(angle)])
    return system, g, law(rng, slip, point=p), (q, np.array([*v, w])), (x, y, phi)


def answers(state):
    contact = state.contacts["contact"]
    return contact.mode, np.array([*state.accelerations, contact.normal, contact.friction])


@pytest.mark.parametrize("seed", attack_cases(4))
def test_friction_does_not_depend_on_the_form_of_the_constraint(seed):
    rng = np.random.default_rng([7, seed])
    system, g, friction, (q, v), symbols = (particle if rng.random() < 0.6 else body)(rng)
    plain, other = (system.constrain("contact", e, law=friction) for e in (g, written(g, rng, symbols)))
    states = [s.at(q, v) for s in (plain, other)]
    expected, found = map(answers, states)
    assert found[0] == expected[0]
    assert found[1] == pytest.approx(expected[1], rel=1e-8, abs=1e-8)
    for s, state in zip((plain, other), states, strict=True):
        compiled = s.compile().evaluate(t=0.0, q=q, v=v)
        assert np.allclose(state.accelerations, compiled.accelerations, rtol=1e-9, atol=1e-9)
        assert not state.audit.notes
    if seed % 10 == 0:  # the motion as well
        names = [str(s.func) for s in symbols]
        start = dict(zip(names, q.tolist(), strict=True)) | dict(zip([f"{n}'" for n in names], v.tolist(), strict=True))
        runs = [s.simulate(start=start, until=0.4) for s in (plain, other)]
        assert runs[1].q[-1] == pytest.approx(runs[0].q[-1], rel=1e-6, abs=1e-6)
        assert [s.event for s in runs[1].switches] == [s.event for s in runs[0].switches]
        last = [r.contacts["contact"] for r in runs]
        assert last[1].normal[-1] == pytest.approx(last[0].normal[-1], rel=1e-5, abs=1e-6)
        assert last[1].friction[-1] == pytest.approx(last[0].friction[-1], rel=1e-5, abs=1e-6)
