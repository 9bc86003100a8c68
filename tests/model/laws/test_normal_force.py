"""The normal force of a contact is nu |lambda|: closed solutions with constraints that do not measure a distance."""

from dataclasses import dataclass

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der

x, y, phi, u, w = lk.coordinates("x y phi u w")
GRAVITY, MU, SLOPE = 9.81, 0.4, 0.5
BLOCK = lk.System("block", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=GRAVITY * y)
ALONG = np.cos(SLOPE) * der(x) - np.sin(SLOPE) * der(y)
DOWN = np.array([np.cos(SLOPE), -np.sin(SLOPE)])
PLANE = y + x * sp.tan(SLOPE)  # its gradient has the length 1/cos(a)


def constant(mu, slip):
    """Return a law of a user."""

    @dataclass(frozen=True)
    class Constant(lk.laws.Friction):
        mu: object

        def coefficient(self, speed):
            return self.mu

    return Constant(mu, slip=slip)


@pytest.mark.parametrize("law", [lk.Coulomb, constant])
@pytest.mark.parametrize("factor", [-3, 1 + x**2])
def test_a_block_on_an_incline_stated_by_a_tangent(law, factor):
    """a = g (sin a - mu cos a), N = g cos a, from every way to compute them."""
    plane = BLOCK.constrain("plane", PLANE * factor, law=law(MU, slip=ALONG))
    state = plane.at([0, 0], DOWN)
    expected, N = GRAVITY * (np.sin(SLOPE) - MU * np.cos(SLOPE)), GRAVITY * np.cos(SLOPE)
    assert state.accelerations == pytest.approx(expected * DOWN, rel=1e-12)
    assert abs(state.contacts["plane"].normal) == pytest.approx(N, rel=1e-12)
    assert state.contacts["plane"].friction == pytest.approx(-MU * N, rel=1e-12)
    assert state.audit.ok and not state.audit.notes
    compiled = plane.compile().evaluate(t=0.0, q=[0, 0], v=DOWN)
    assert compiled.accelerations == pytest.approx(expected * DOWN, rel=1e-12)
    motion = plane.simulate(start={"x": 0, "y": 0, "x'": DOWN[0], "y'": DOWN[1]}, until=1.0)
    assert motion.q[-1] == pytest.approx((1 + expected / 2) * DOWN, rel=1e-8)
    contact = motion.contacts["plane"]
    assert np.abs(contact.normal) == pytest.approx(np.full(len(motion.t), N), rel=1e-8)
    assert contact.friction == pytest.approx(np.full(len(motion.t), -MU * N), rel=1e-8)


def test_a_block_stops_and_stays_where_the_tangent_of_the_slope_is_less_than_mu():
    """mu = 0.6 > tan 0.5: it stops after v/(g (mu cos a - sin a)); mu_static = 0.5 would let it slide again."""
    plane = BLOCK.constrain("plane", 7 * PLANE, law=lk.Coulomb(0.6, slip=ALONG))
    motion = plane.simulate(start={"x": 0, "y": 0, "x'": DOWN[0], "y'": DOWN[1]}, until=3)
    stop = 1 / (GRAVITY * (0.6 * np.cos(SLOPE) - np.sin(SLOPE)))
    assert [s.event for s in motion.switches] == ["plane stops"]
    assert motion.switches[0].t == pytest.approx(stop, rel=1e-8)
    assert motion.contacts["plane"].mode[-1] == "sticks"
    assert motion.v[-1] == pytest.approx([0, 0], abs=1e-100)
    assert plane.at([0, 0], [0, 0]).contacts["plane"].mode == "sticks"
    free = BLOCK.constrain("plane", 7 * PLANE, law=lk.Coulomb(0.5, slip=ALONG))
    assert free.at([0, 0], [0, 0]).contacts["plane"].mode == "slides"


def test_a_bead_on_a_wire_stated_by_the_rod_of_the_catalogue():
    """At the lowest point of a circle N = m (g + v^2/r); the gradient of x^2 + y^2 - r^2 has the length 2 r."""
    slip = (x * der(y) - y * der(x)) / 2
    wire = BLOCK.constrain("wire", lk.catalogue.rod((0, 0), (x, y), 2), law=lk.Coulomb(MU, slip=slip))
    contact = wire.at([0, -2], [1, 0]).contacts["wire"]
    assert abs(contact.normal) == pytest.approx(GRAVITY + 1 / 2, rel=1e-12)
    assert abs(contact.friction) == pytest.approx(MU * (GRAVITY + 1 / 2), rel=1e-12)


def rod(form, **more):
    """Return a rod of length 2 whose lower end touches the floor."""
    T = (der(x) ** 2 + der(y) ** 2) / 2 + der(phi) ** 2 / 6
    slip = sp.diff(x - sp.cos(phi), lk.t)
    law = lk.Coulomb(0.3, slip=slip, unilateral=True, **more)
    return lk.System("rod", [x, y, phi], kinetic=T, potential=GRAVITY * y).constrain("floor", form, law=law)


TIP = (x - sp.cos(phi), y - sp.sin(phi))


def test_the_audit_names_a_constraint_whose_normal_force_is_not_known():
    """Without a contact point |lambda| is taken, whatever factor the constraint has, and the audit says so."""
    for form in (TIP[1], 5 * TIP[1]):
        audit = rod(form).at([0.3, np.sin(1.2), 1.2], [-5, 0, 0]).audit
        assert "The friction of 'floor' takes |lambda| as the normal force" in str(audit)


def test_the_contact_point_of_a_body_tells_the_normal_force():
    """The form of the constraint and the third component of the point change nothing."""
    state = ([0.3, np.sin(1.2), 1.2], [-5, 0, 0])
    plain = rod(TIP[1]).at(*state)
    for form, point in ((5 * TIP[1] * (1 + x**2), TIP), (sp.exp(2 * TIP[1]) - 1, (*TIP, 0))):
        stated = rod(form, point=point).at(*state)
        assert stated.accelerations == pytest.approx(plain.accelerations, rel=1e-12)
        assert stated.contacts["floor"].normal == pytest.approx(plain.contacts["floor"].normal, rel=1e-12)
        assert not stated.audit.notes
    assert len(plain.audit.notes) == 1 and "'floor' takes |lambda|" in plain.audit.notes[0]
    assert plain.audit.ok and plain.audit.notes[0] in str(plain.audit)
    motion = rod(TIP[1]).simulate(start={"phi": 1.2, "y": np.sin(1.2), "x'": -5.0}, until=0.1)
    assert motion.audit.notes == plain.audit.notes and str(motion.audit).count("|lambda|") == 1


def test_a_slot_that_turns_with_its_body_has_the_point_in_the_axes_of_the_body():
    """A fixed pin in a slot of a body: N is |lambda| of the distance from the slot, also where m = J = 1."""
    T = (der(x) ** 2 + der(y) ** 2 + der(phi) ** 2) / 2
    system = lk.System("body", [x, y, phi], kinetic=T, forces={y: 1.0, phi: -2.0})
    pin = (sp.cos(phi) * (1 - x) - sp.sin(phi) * y, -sp.sin(phi) * (1 - x) - sp.cos(phi) * y)
    slip = sp.cos(phi) * der(x) + sp.sin(phi) * der(y)
    state = ([0, 0, 0], [1, 0, 0])
    plain = system.constrain("slot", pin[1], law=lk.Coulomb(0.3, slip=slip)).at(*state)
    assert plain.audit.notes  # not a particle, although A is the unit matrix
    scaled = system.constrain("slot", 4 * pin[1], law=lk.Coulomb(0.3, slip=slip, point=pin)).at(*state)
    assert scaled.accelerations == pytest.approx(plain.accelerations, rel=1e-12)
    assert scaled.contacts["slot"].normal == pytest.approx(plain.contacts["slot"].normal, rel=1e-12)


def test_what_is_no_particle_is_not_taken_for_one():
    """Conformal coordinates, two masses on a line, and a rod between two masses in any form."""
    q1, q2 = lk.coordinates("x1 x2")
    line = lk.System("line", [q1, q2], kinetic=(der(q1) ** 2 + der(q2) ** 2) / 2, forces={q1: 1})
    assert line.constrain("touch", q1 - q2, law=lk.Coulomb(0.3, slip=der(q1))).at([0, 0], [1, 1]).audit.notes
    conformal = (x**2 + y**2) * (der(x) ** 2 + der(y) ** 2) / 2
    bent = lk.System("parabolic", [x, y], kinetic=conformal, forces={y: -1})
    assert bent.constrain("wall", y - 1, law=lk.Coulomb(0.3, slip=der(x))).at([1, 1], [1, 0]).audit.notes
    x1, y1, x2, y2 = lk.coordinates("x1 y1 x2 y2")
    two = lk.System("two", [x1, y1, x2, y2], kinetic=sum(der(s) ** 2 for s in (x1, y1, x2, y2)), potential=5 * y2)
    law = lk.Coulomb(0.3, slip=der(x2) - der(x1))
    states = [two.constrain("on top", c * (y2 - y1), law=law).at([0, 0, 0, 0], [0, 0, 1, 0]) for c in (1, 9)]
    assert states[1].accelerations == pytest.approx(states[0].accelerations, rel=1e-12)
    assert not states[1].audit.notes
    middle = two.constrain("middle", y1 + y2, law=lk.Coulomb(0.3, slip=der(x1))).at([0, 0, 0, 0], [1, 0, 0, 0])
    assert middle.audit.notes


def test_impulses_are_those_of_the_normal_force():
    """A particle falls on a rough floor, 5 y >= 0: it receives m v, and mu m v along the floor."""
    law = lk.Coulomb(0.2, slip=der(x), unilateral=True)
    motion = BLOCK.constrain("floor", 5 * y, law=law).simulate(start={"y": 1.0, "x'": 3.0}, until=1)
    fall = np.sqrt(2 * GRAVITY)
    assert motion.switches[0].struck["floor"] == pytest.approx(fall, rel=1e-8)
    assert motion.switches[0].struck["floor, sticking"] == pytest.approx(-0.2 * fall, rel=1e-8)


def test_equations_and_files_have_the_factor(tmp_path):
    plane = BLOCK.constrain("plane", 2 * y, law=lk.Coulomb(lk.parameters("mu"), slip=der(x)))
    friction = str(plane.equations())
    assert "2*mu" in friction and "sign(x')" in friction and "lambda_1" in friction, friction
    lk.save(rod(3 * TIP[1], point=TIP), tmp_path / "rod.toml")
    assert 'point = ["x - cos(phi)", "y - sin(phi)"]' in (tmp_path / "rod.toml").read_text()
    assert lk.load(tmp_path / "rod.toml").statement == rod(3 * TIP[1], point=TIP).statement


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ((x, y), "not a force at this point"),
        ((x + y, 2 * x + 2 * y), "do not move independently"),
        ((1, 2), "contains no coordinate"),
        ((x, y, 0, 1), "1 to 3 components"),
        ((x, der(y)), "no derivative is allowed"),
        ((x, u), "u\\(t\\) is not among the coordinates"),
    ],
)
def test_a_point_that_does_not_tell_the_normal_force_is_refused(point, message):
    with pytest.raises(lk.ModelError, match=message):
        rod(TIP[1], point=point)


@pytest.mark.parametrize("more", [{}, {"smooth": 1e-3}])
def test_a_slip_with_a_factor_of_any_form_has_a_speed(more):
    """The speed of the slip x' exp(x) is 1 at x = 0, x' = 1; the coefficient is 0.3 + 0.1 exp(-1)."""
    law = lk.Coulomb(0.3, slip=sp.exp(x) * der(x), mu_static=0.4, stribeck=1, **more)
    contact = BLOCK.constrain("floor", y, law=law).at([0, 0], [1, 0]).contacts["floor"]
    assert contact.friction == pytest.approx(-GRAVITY * (0.3 + 0.1 * np.exp(-1)), rel=1e-12)
