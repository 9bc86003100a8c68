"""Equilibria against closed forms and independent statics; their stability and their frequencies."""

import mechanisms
import numpy as np
import pytest
from mechanisms import GRAVITY
from scipy.optimize import brentq
from sympy import cos, exp, sin

import lienket as lk
from lienket import LienketError, ModelError, der
from lienket.errors import StartError


@pytest.mark.parametrize(("guess", "angle", "stable"), [(0.4, 0, True), (np.pi / 2, 0, True), (2.9, np.pi, False)])
def test_a_pendulum_hangs_or_stands(guess, angle, stable):
    rest = mechanisms.pendulum().equilibrium(guess={"theta": guess})
    assert rest["theta"] == pytest.approx(angle, abs=1e-12)
    assert rest.stable is stable
    assert rest.stability == ("stable" if stable else "unstable")
    if stable:
        assert rest.frequencies == pytest.approx([np.sqrt(GRAVITY / 0.7)])


def test_a_pendulum_in_the_plane_pulls_its_rod():
    rest = mechanisms.pendulum_in_the_plane().equilibrium(guess={"x": 0.3, "y": -0.2})
    assert rest.q == pytest.approx([0, -0.7], abs=1e-12)
    assert rest.reactions["rod"] == pytest.approx([0, 2 * GRAVITY], abs=1e-11)
    assert rest.multipliers == pytest.approx([-2 * GRAVITY / 1.4])
    assert rest.frequencies == pytest.approx([np.sqrt(GRAVITY / 0.7)])  # the stiffness is the rod's tension
    assert rest.stable


def test_redundant_rods_share_their_load_with_the_least_norm():
    x, y = lk.coordinates("x y")
    l = lk.parameters("l")
    twice = mechanisms.pendulum_in_the_plane().constrain("again", 2 * (x**2 + y**2 - l**2))
    rest = twice.equilibrium(guess={"y": -0.5})
    single = -2 * GRAVITY / 1.4
    assert rest.multipliers == pytest.approx([single / 5, 2 * single / 5])
    assert rest.multipliers == pytest.approx(twice.at(rest.q, rest.v).multipliers)
    assert rest.frequencies == pytest.approx([np.sqrt(GRAVITY / 0.7)])


def rods(count, span, mass=0.4, length=1.0):
    """Return a chain of uniform rods between two supports, each rod with x, y and angle."""
    g = lk.parameters("g")
    bodies = [lk.coordinates(f"x{i} y{i} a{i}") for i in range(count)]
    T = sum(mass * (der(x) ** 2 + der(y) ** 2 + length**2 / 12 * der(a) ** 2) / 2 for x, y, a in bodies)
    chain = lk.System("chain", [e for body in bodies for e in body], kinetic=T,
                      potential=g * mass * sum(y for _, y, _ in bodies), values={g: GRAVITY})  # fmt: skip
    ends = [[(x + k * length / 2 * cos(a), y + k * length / 2 * sin(a)) for k in (-1, 1)] for x, y, a in bodies]
    chain = chain.constrain("left", list(ends[0][0]))
    for i in range(count - 1):
        (x, y), (u, w) = ends[i][1], ends[i + 1][0]
        chain = chain.constrain(f"pin {i}", [u - x, w - y])
    return chain.constrain("right", [ends[-1][1][0] - span, ends[-1][1][1]])


def test_a_hanging_chain_of_rods_obeys_statics():
    """Forces and moments balance on every rod; tan(angle) grows by m g/H from one rod to the next."""
    count, span, mass = 7, 5.0, 0.4
    start = {f"a{i}": 0.9 - 1.8 * i / (count - 1) for i in range(count)}
    guess = {name: -x for name, x in start.items()} | {f"x{i}": (i + 0.5) * span / count for i in range(count)}
    guess |= {f"y{i}": -1.0 for i in range(count)}
    hanging = rods(count, span).equilibrium(guess=guess)
    a = hanging.q[2::3]
    left = hanging.reactions["left"][:2]
    for i in range(count):
        right = -left + np.array([0, mass * GRAVITY])  # force of the next rod, by the balance of forces
        arm = 0.5 * np.array([np.cos(a[i]), np.sin(a[i])])
        moment = arm[0] * (right - left)[1] - arm[1] * (right - left)[0]
        assert moment == pytest.approx(0, abs=1e-11)
        name = "right" if i == count - 1 else f"pin {i}"
        assert hanging.reactions[name][3 * i : 3 * i + 2] == pytest.approx(right, abs=1e-11)
        left = -right
    assert np.diff(np.tan(a)) == pytest.approx(mass * GRAVITY / -hanging.reactions["left"][0], rel=1e-11)
    assert np.sum(np.cos(a)) == pytest.approx(span, rel=1e-13)
    assert np.sum(np.sin(a)) == pytest.approx(0, abs=1e-12)
    assert a == pytest.approx(-a[::-1], abs=1e-11)
    assert a[0] < 0
    assert hanging.stable
    assert len(hanging.frequencies) == count - 2
    upside = rods(count, span).equilibrium(guess=guess | start | {f"y{i}": 1.0 for i in range(count)})
    assert upside["a0"] == pytest.approx(-hanging["a0"], rel=1e-10)  # the arch is the chain turned over
    assert not upside.stable
    assert np.isnan(upside.frequencies).sum() == count - 2


def height(p):
    """Return the potential energy of the four-bar at crank angle p, from the geometry alone."""
    a, b, c, d = mechanisms.FOUR_BAR
    tip = np.array([a * np.cos(p), a * np.sin(p)])
    way = np.array([d, 0]) - tip
    far = np.linalg.norm(way)
    inner = np.arccos((b**2 + far**2 - c**2) / (2 * b * far))
    s = np.arctan2(way[1], way[0]) - inner
    joint = tip + b * np.array([np.cos(s), np.sin(s)])
    return GRAVITY * (a * tip[1] / 2 + b * (tip[1] + joint[1]) / 2 + c * joint[1] / 2)


def test_a_four_bar_rests_where_its_height_is_least():
    step, weights = 1e-3, (3 / 4, -3 / 20, 1 / 60)

    def slope(p):
        return sum(w * (height(p + k * step) - height(p - k * step)) for k, w in enumerate(weights, 1))

    p = brentq(slope, -2.0, -1.0, xtol=1e-14)
    for coordinates in ("angles", "bodies"):
        rest = mechanisms.four_bar(coordinates).equilibrium(guess={"p": -1, "s": 0.5, "w": -1})
        assert rest["p"] == pytest.approx(p, abs=1e-9)
        assert rest.stable
        linear = mechanisms.four_bar(coordinates).linearize(rest)
        assert linear.steady
        assert linear.frequencies == pytest.approx(np.repeat(rest.frequencies, 2), rel=1e-9)
    top = mechanisms.four_bar().equilibrium(guess={"p": 1.5, "s": 0.5, "w": 1.5})
    assert not top.stable


def test_fixed_coordinate_has_a_holding_reaction():
    held = mechanisms.pendulum().equilibrium(fixed={"theta": 0.5})
    assert held["theta"] == pytest.approx(0.5)
    assert held.reactions["theta held"] == pytest.approx([2 * GRAVITY * 0.7 * np.sin(0.5)])
    assert held.stable and len(held.frequencies) == 0
    again = mechanisms.pendulum().equilibrium(guess={"theta": 0.5}, fixed=["theta"])
    assert again.q == pytest.approx(held.q)


def test_a_knife_edge_across_a_slope_holds_by_its_reaction():
    """At rest the edge points across the slope, and its velocity constraint carries the load along x."""
    x, y, phi = lk.coordinates("x y phi")
    free = lk.System("edge", [x, y, phi], kinetic=(der(x) ** 2 + der(y) ** 2 + der(phi) ** 2) / 2, potential=3 * x)
    edge = free.constrain("edge", der(x) * sin(phi) - der(y) * cos(phi))
    rest = edge.equilibrium(guess={"x": 0.4, "y": -2.0, "phi": 1.2})
    assert rest.q == pytest.approx([0.4, -2.0, np.pi / 2], abs=1e-12)  # the equilibrium nearest to the guess
    assert rest.reactions["edge"] == pytest.approx([3, 0, 0], abs=1e-12)
    assert rest.stability == "neutral"  # turned a little, it slides off, but not exponentially


@pytest.mark.parametrize(("load", "word"), [(2.0, "neutral"), (2.2, "unstable")])
def test_a_follower_load_flutters(load, word):
    """Ziegler's column of masses 2 m and m flutters from P = (7/2 - sqrt 2) c/l = 2.086 c/l on (Ziegler 1952)."""
    a, b = lk.coordinates("a b")
    P = lk.parameters("P")
    T = (3 * der(a) ** 2 + 2 * der(a) * der(b) * cos(a - b) + der(b) ** 2) / 2
    V = (a**2 + (b - a) ** 2) / 2
    column = lk.System("column", [a, b], kinetic=T, potential=V, forces={a: P * sin(a - b)})
    assert 2.0 < 3.5 - np.sqrt(2) < 2.2
    assert column.equilibrium(guess={"a": 0.1}, values={"P": load}).stability == word


def test_partial_damping_keeps_the_stability_given_by_energy():
    x, y = lk.coordinates("x y")
    system = lk.System("damped in part", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=x**2 + 3 * y**2,
                       dissipation=0.1 * der(x) ** 2)  # fmt: skip
    assert system.equilibrium(guess={"x": 1}).stable
    assert not lk.System("rolls", [x], kinetic=der(x) ** 2).equilibrium().stable


def test_massless_coordinate_has_an_equilibrium():
    """A mass on two springs in series, the joint between them massless: w^2 = k1 k2/((k1 + k2) m)."""
    x, y = lk.coordinates("x y")
    series = lk.System("series", [x, y], kinetic=2 * der(y) ** 2 / 2, potential=3 * x**2 / 2 + 5 * (y - x) ** 2 / 2 - y)
    rest = series.equilibrium()
    assert rest.q == pytest.approx([1 / 3, 1 / 3 + 1 / 5])
    assert rest.stable
    assert rest.frequencies == pytest.approx([np.sqrt(15 / 8 / 2)])


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_units_do_not_matter(unit):
    m, l, g, k = lk.parameters("m l g k")
    x, y = lk.coordinates("x y")
    free = lk.System("hung", [x, y], kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2,
                     potential=m * g * y + k * (x - l / 2) ** 2 / 2)  # fmt: skip
    hung = free.constrain("rod", x**2 + y**2 - l**2)
    rest = hung.equilibrium(guess={"y": -0.9 * unit}, values={m: 2, l: unit, g: GRAVITY * unit, k: 30})
    sine = brentq(lambda s: 30 * (0.5 - s) * np.sqrt(1 - s * s) - 2 * GRAVITY * s, 0, 1, xtol=1e-15)
    assert rest.q / unit == pytest.approx([sine, -np.sqrt(1 - sine**2)], rel=1e-12)
    assert rest.stable


def test_missing_equilibrium_is_reported_with_the_remaining_residual():
    x, y = lk.coordinates("x y")
    falling = lk.System("falling", [x, y], kinetic=der(x) ** 2 + der(y) ** 2, potential=3 * y + x**2)
    with pytest.raises(LienketError, match=r"there remains -3 on y"):
        falling.equilibrium(guess={"x": 1})
    with pytest.raises(LienketError, match=r"'drive' has a residual of -1 in velocity"):
        falling.constrain("drive", y - lk.t).equilibrium()
    with pytest.raises(LienketError, match=r"'push' has a residual of -2 in acceleration"):
        falling.constrain("push", der(y, 2) - 2).equilibrium()
    with pytest.raises(StartError, match="'ring'"):
        falling.constrain("ring", x**2 + y**2 + 1).equilibrium()


def test_forces_that_only_decay_have_no_equilibrium():
    x = lk.coordinates("x")
    with pytest.raises(LienketError, match="No equilibrium was found"):
        lk.System("fading", [x], kinetic=der(x) ** 2, potential=exp(x)).equilibrium()
    flat = lk.System("flat", [x], kinetic=der(x) ** 2, potential=x**4).equilibrium(guess={"x": 1})
    assert flat["x"] == pytest.approx(0, abs=1e-3)
    assert flat.stability in ("neutral", "stable")


def test_faults_of_the_input_are_reported_together():
    with pytest.raises(ModelError) as caught:
        mechanisms.pendulum().equilibrium(
            guess={"teta": 1}, values={"m": "heavy"}, fixed=["thta"], over=("mass", [1, 1])
        )
    assert {fault.where for fault in caught.value.faults} == {"start", "values", "fixed", "over"}
