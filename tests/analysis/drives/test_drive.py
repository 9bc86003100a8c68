"""system.drive recovers known drives, balances virtual power, shares loads, drives the crane, and refuses faults."""

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import solve_ivp
from servo import CASE, CRANE_DRIVES, X, Z, c, crane, exact_crane, l, masses, polar_crane, s, t, theta, x, z

import lienket as lk
from lienket import der
from lienket.errors import LienketError, ModelError

phi, psi, chi = lk.coordinates("phi psi chi")
LENGTHS = {"a": 0.3, "b": 0.8, "c": 0.6, "d": 0.9}
BAR = {**LENGTHS, "J1": 0.02, "J2": 0.05, "J3": 0.04, "m": 1.5, "g": 9.81, "k": 0.3}


def four_bar():
    """Return crank a, coupler b, rocker c on a frame d; the coupler's mass at its far end, gravity down."""
    a, b, c, d, J1, J2, J3, m, g = lk.parameters("a b c d J1 J2 J3 m g")
    height = c * sp.sin(chi)
    free = lk.System(
        "four bar", [phi, psi, chi],
        kinetic=J1 * der(phi) ** 2 / 2 + J2 * der(psi) ** 2 / 2 + (J3 + m * c**2) * der(chi) ** 2 / 2,
        potential=m * g * height, dissipation=lk.parameters("k") * der(chi) ** 2 / 2,
        values={sp.Symbol(name): value for name, value in BAR.items()},
    )  # fmt: skip
    ends = [
        a * sp.cos(phi) + b * sp.cos(psi) - d - c * sp.cos(chi),
        a * sp.sin(phi) + b * sp.sin(psi) - c * sp.sin(chi),
    ]
    return free.constrain("loop", ends)


def forced(system, torque):
    """Return the system with a force on its first coordinate."""
    q = system.coordinates
    rebuilt = lk.System(
        system.name, q, kinetic=system.statement.free.kinetic, potential=system.statement.free.potential,
        dissipation=system.statement.free.dissipation, forces={q[0]: torque}, values=system.values,
    )  # fmt: skip
    for constraint in system.constraints:
        rebuilt = rebuilt.constrain(constraint.name, list(constraint.expressions))
    return rebuilt


def test_torque_of_a_simulated_motion_is_recovered():
    torque = 0.4 * sp.sin(3 * t) + 0.2
    run = forced(four_bar(), torque).simulate(
        start={"phi": 1.0, "phi'": 2.0}, guess={"psi": 0.5, "chi": 1.5}, until=2.0
    )
    result = four_bar().drive(run, drives={"M": {phi: 1}})
    np.testing.assert_allclose(result.drives["M"], 0.4 * np.sin(3 * run.t) + 0.2, atol=1e-8)
    np.testing.assert_allclose(result.reactions["loop"], run.reactions["loop"], atol=1e-8)
    np.testing.assert_allclose(result.multipliers, run.multipliers, atol=1e-8)
    np.testing.assert_allclose(result.power["M"], result.drives["M"] * run["phi'"], atol=1e-12)
    assert result.audit.ok, result.audit.warnings
    assert result.audit.unique
    assert result.audit.unsupplied < 1e-10


def test_values_are_those_of_the_run_unless_others_are_given():
    run = forced(four_bar(), sp.Integer(1)).simulate(
        {"m": 3.0}, start={"phi": 1.0}, guess={"psi": 0.5, "chi": 1.5}, until=0.5
    )
    np.testing.assert_allclose(four_bar().drive(run, {"M": {phi: 1}}).drives["M"], 1.0, atol=1e-8)
    assert abs(four_bar().drive(run, {"M": {phi: 1}}, {"m": 1.5}).drives["M"][-1] - 1.0) > 0.1


def test_positions_alone_are_enough():
    # x = sin 2t of a mass on a spring with a damper: F = (k - 4 m) sin 2t + 2 d cos 2t.
    m, k, d = lk.parameters("m k d")
    mass = lk.System("mass", [x], kinetic=m * der(x) ** 2 / 2, potential=k * x**2 / 2, dissipation=d * der(x) ** 2 / 2,
                     values={m: 2, k: 3, d: 0.5})  # fmt: skip
    rows = np.linspace(0, 3, 601)
    expected = (3 - 8) * np.sin(2 * rows) + np.cos(2 * rows)
    positions, speeds, rates = np.sin(2 * rows), 2 * np.cos(2 * rows), -4 * np.sin(2 * rows)
    splined = mass.drive((rows, positions), {"F": {x: 1}}).drives["F"]
    np.testing.assert_allclose(splined, expected, atol=1e-6)
    for motion, close in (((rows, positions, speeds), 1e-7), ((rows, positions, speeds, rates), 1e-13)):
        np.testing.assert_allclose(mass.drive(motion, {"F": {x: 1}}).drives["F"], expected, atol=close)
    table = {"t": rows, "x": positions, "x'": speeds, "x''": rates}
    np.testing.assert_allclose(mass.drive(table, {"F": {x: 2}}).drives["F"], expected / 2, atol=1e-13)
    # The error of the second derivatives falls with the fourth power of the row spacing.
    errors = []
    for k in (10, 5):
        few = mass.drive((rows[::k], positions[::k]), {"F": {x: 1}}).drives["F"]
        inside = (rows[::k] > 1) & (rows[::k] < 2)
        errors.append(np.max(np.abs(few - expected[::k])[inside]))
    assert 14 < errors[0] / errors[1] < 18


def test_virtual_power_of_a_four_bar_whose_rocker_is_prescribed():
    bars = four_bar()
    law = sp.Rational(19, 10) + sp.sin(2 * t) / 5
    rows = np.linspace(0, 3, 400)
    result = bars.drive({chi: law}, {"M": {phi: 1}}, times=rows, start={"phi": 1.2, "psi": 0.5, "chi": 1.9})
    q1, q2, q3 = result.q.T
    np.testing.assert_allclose(q3, 1.9 + np.sin(2 * rows) / 5, atol=1e-13)
    np.testing.assert_allclose(0.3 * np.exp(1j * q1) + 0.8 * np.exp(1j * q2), 0.9 + 0.6 * np.exp(1j * q3), atol=1e-13)
    # With velocities that are the exact derivatives of the positions, the total power is dT/dt.
    speeds, rates = result.v, result.accelerations
    inertia = np.array([0.02, 0.05, 0.04 + 1.5 * 0.6**2])
    gain = np.sum(inertia * speeds * rates, axis=1)
    others = -1.5 * 9.81 * 0.6 * np.cos(q3) * speeds[:, 2] - 0.3 * speeds[:, 2] ** 2
    np.testing.assert_allclose(result.power["M"] + others, gain, atol=1e-11)
    np.testing.assert_allclose(result.drives["M"] * speeds[:, 0], result.power["M"], atol=1e-14)
    assert np.max(np.abs(result.power["M"])) > 0.1
    assert result.hidden is None
    assert result.audit.ok
    again = bars.drive((rows, result.q, speeds, rates), {"M": {phi: 1}})
    np.testing.assert_allclose(again.drives["M"], result.drives["M"], atol=1e-10)


def test_motion_out_of_reach_is_refused():
    with pytest.raises(LienketError, match=r"cannot be followed beyond t = 0\.3"):
        four_bar().drive({chi: sp.Rational(19, 10) - t}, {"M": {phi: 1}}, times=np.linspace(0, 3, 50),
                         start={"phi": 1.2, "psi": 0.5, "chi": 1.9})  # fmt: skip


def test_a_crank_behind_a_spring_needs_the_torque_of_the_rigid_one():
    # The motor leads the crank by T/k, T the torque of the rigid four-bar, and accelerates its own rotor: degree 4.
    rigid, motor, J0, k0 = four_bar(), lk.coordinates("motor"), sp.Rational(1, 100), 50
    free = rigid.statement.free
    soft = lk.System(
        "soft", [motor, *rigid.coordinates], kinetic=free.kinetic + J0 * der(motor) ** 2 / 2,
        potential=free.potential + k0 * (motor - phi) ** 2 / 2, dissipation=free.dissipation, values=rigid.values,
    ).constrain("loop", list(rigid.constraints[0].expressions))  # fmt: skip
    law, rows = {chi: sp.Rational(19, 10) + sp.sin(2 * t) / 5}, np.linspace(0, 3, 61)
    guess = {"phi": 1.2, "psi": 0.5, "chi": 1.9}
    torque = rigid.drive(law, {"M": {phi: 1}}, times=rows, start=guess).drives["M"]
    result = soft.drive(law, {"M": {motor: 1}}, times=rows, start={**guess, "motor": 1.2})
    assert result.hidden.degrees == {"law of chi": 4}
    np.testing.assert_allclose(50 * (result.q[:, 0] - result.q[:, 1]), torque, atol=1e-11)
    np.testing.assert_allclose(result.drives["M"], 0.01 * result.accelerations[:, 0] + torque, atol=1e-11)
    assert result.audit.ok


def test_drives_that_share_have_the_least_weighted_squares():
    # u = W^-1 (FE)^T [FE W^-1 (FE)^T]^-1 rho, on the freedoms that the constraint leaves.
    rng = np.random.default_rng(5)
    q = lk.coordinates("q1 q2 q3 q4")
    root = rng.normal(size=(4, 4))
    A = root @ root.T + np.eye(4)
    system = lk.System("block", q, inertia=sp.Matrix(A), potential=sum(x**2 for x in q)).constrain(
        "tie", q[0] + 2 * q[1]
    )
    E = rng.normal(size=(4, 5))
    drives = {f"u{k}": dict(zip(q, E[:, k], strict=True)) for k in range(5)}
    weights = {"u0": 1.0, "u1": 4.0, "u2": 0.25, "u3": 2.0, "u4": 9.0}
    position, rate = np.array([[2.0, -1.0, 0.3, 0.7]]), np.array([[-2.0, 1.0, 0.4, -0.8]])
    result = system.drive(([0.0], position, np.zeros((1, 4)), rate), drives, weights=weights)
    D = np.array([[2.0, -1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]).T
    FE, rho = D.T @ E, D.T @ (A @ rate[0] + 2 * position[0])
    V = np.diag(1 / np.array(list(weights.values())))
    u = V @ FE.T @ np.linalg.solve(FE @ V @ FE.T, rho)
    np.testing.assert_allclose([result.drives[name][0] for name in drives], u, rtol=1e-10)
    rest = A @ rate[0] + 2 * position[0] - E @ u
    np.testing.assert_allclose(result.reactions["tie"][0], rest, atol=1e-10)
    assert not result.audit.unique
    assert "share" in result.sentence


def test_unsupplied_force_is_reported_on_its_coordinate():
    m1, m2 = 2.0, 0.5
    two = lk.System("two", [x, z], kinetic=m1 * der(x) ** 2 / 2 + m2 * der(z) ** 2 / 2)
    rows = np.linspace(0, 1, 11)
    rates = np.transpose([np.ones(11), rows])
    result = two.drive((rows, np.zeros((11, 2)), np.zeros((11, 2)), rates), {"F": {x: 1}})
    np.testing.assert_allclose(result.drives["F"], 2.0)
    np.testing.assert_allclose(result.residual, np.transpose([np.zeros(11), 0.5 * rows]), atol=1e-15)
    assert result.audit.where == (1.0, "z")
    assert "No drive can supply 0.5 on z at t = 1" in result.sentence


def test_a_drive_that_only_strains_a_constraint_supplies_nothing():
    held = lk.System("held", [x, z], kinetic=(der(x) ** 2 + der(z) ** 2) / 2).constrain("wall", z - 1)
    result = held.drive(([0.0], [[0, 1]], [[0, 0]], [[1, 0]]), {"F": {z: 1}})
    np.testing.assert_allclose(result.drives["F"], 0.0, atol=1e-14)
    np.testing.assert_allclose(result.residual, [[1, 0]], atol=1e-14)
    assert not result.audit.ok


def test_a_massless_part_and_a_redundant_constraint():
    # The massless z is tied to x by a spring; the force on z balances the spring.
    system = lk.System("light", [x, z], kinetic=der(x) ** 2, potential=3 * (x - z) ** 2 / 2)
    result = system.drive(([0.0], [[1, 3]], [[0, 0]], [[2, 0]]), {"F": {z: 1}, "P": {x: 1}})
    np.testing.assert_allclose([result.drives["F"][0], result.drives["P"][0]], [6.0, 4.0 - 6.0], atol=1e-13)
    twice = lk.System("twice", [x, z], kinetic=(der(x) ** 2 + der(z) ** 2) / 2).constrain("w", [z - 1, 2 * z - 2])
    held = twice.drive(([0.0], [[0, 1]], [[0, 0]], [[1, 0]]), {"F": {x: 1, z: 1}})
    np.testing.assert_allclose(held.drives["F"], 1.0)
    np.testing.assert_allclose(held.multipliers, [[-0.2, -0.4]], atol=1e-14)


def test_motion_off_its_constraints_is_reported():
    held = lk.System("held", [x, z], kinetic=(der(x) ** 2 + der(z) ** 2) / 2).constrain("wall", z - 1)
    result = held.drive(([0.0], [[0, 1.5]], [[0, 0]], [[1, 0]]), {"F": {x: 1}})
    assert "position residual of 'wall' is 0.5" in result.sentence


def test_the_crane_in_one_call():
    rows = np.linspace(0, 3, 301)
    result = crane().drive({x: X, z: Z}, CRANE_DRIVES, times=rows, start={"z": 4, "l": 4})
    for name, e in exact_crane().items():
        exact = np.array([float(v) for v in sp.lambdify(t, e)(rows) * np.ones(len(rows))])
        column = result.drives[name] if name in result.drives else result.q[:, result.names.index(name)]
        np.testing.assert_allclose(column, exact, atol=1e-10 * np.max(np.abs(exact)))
    for case in CASE["expected"]:
        k = int(np.argmin(np.abs(rows - case["t"])))
        here = [*result.q[k, :2], result.drives["F"][k], result.drives["M_n"][k]]
        np.testing.assert_allclose(here, [*case["value"][:2], *case["value"][3:]], rtol=1e-10)
    assert result.hidden.degrees == {"law of x": 4, "law of z": 4}
    assert result.audit.ok


def test_the_crane_in_other_coordinates_and_through_its_own_program():
    rows = np.linspace(0, 3, 61)
    ends = {s + l * sp.sin(theta): X, l * sp.cos(theta): Z}
    polar = polar_crane().drive(ends, CRANE_DRIVES, times=rows, start={"l": 4})
    path = crane().constrain("path", lk.Program([x - X, z - Z], drives=CRANE_DRIVES))
    own = crane().drive({"x": X, "z": Z}, CRANE_DRIVES, times=rows, start={"z": 4, "l": 4})
    again = path.drive((rows, own.q, own.v, own.accelerations))
    assert list(again.drives) == ["F", "M_n"]
    for other in (polar, again):
        for name in ("F", "M_n"):
            np.testing.assert_allclose(other.drives[name], own.drives[name], atol=1e-8)
    half = crane().constrain("across", lk.Program(x - X, drives={"F": {s: 1}}))
    both = half.drive({z: Z}, CRANE_DRIVES, times=rows, start={"z": 4, "l": 4})
    np.testing.assert_allclose(both.drives["F"], own.drives["F"], atol=1e-8)


def test_three_masses_by_closed_form():
    chain = masses(3)
    q = chain.coordinates
    numbers = {"m1": 1.0, "m2": 2.0, "m3": 3.0, "k1": 5.0, "k2": 7.0}
    rows = np.linspace(0, 2, 41)
    result = chain.drive({q[2]: sp.sin(t)}, {"F": {q[0]: 1}}, numbers, times=rows)
    x2 = (1 - 3 / 7) * 1.0  # amplitudes from m3 x3'' = -k2 (x3 - x2), m2 x2'' = ..., with x'' = -x
    x1 = x2 + (-2 * x2 - 7 * (1 - x2)) / 5
    force = -1 * x1 - 5 * (x2 - x1)
    np.testing.assert_allclose(result.q, np.outer(np.sin(rows), [x1, x2, 1.0]), atol=1e-12)
    np.testing.assert_allclose(result.drives["F"], force * np.sin(rows), atol=1e-11)


def test_freedom_left_by_the_laws_is_integrated():
    """With x2 = sin t through spring and damper, m2 x2'' = k (x1 - x2) + d (x1' - x2') is integrated for x1."""
    damped = masses(2, damping=True)
    x1, x2 = damped.coordinates
    numbers = {"m1": 2.0, "m2": 1.5, "k1": 3.0, "d": 0.4}
    times = np.linspace(0.0, 2.0, 9)
    result = damped.drive({x2: sp.sin(t)}, {"F": {x1: 1}}, numbers, times=times, start={"x1": 0.7})

    def rate(time, position):
        return np.cos(time) + (-1.5 * np.sin(time) - 3.0 * (position - np.sin(time))) / 0.4

    exact = solve_ivp(rate, (0, 2), [0.7], t_eval=times, rtol=1e-12, atol=1e-13, method="DOP853").y[0]
    np.testing.assert_allclose(result.q[:, 0], exact, atol=1e-9)
    v1 = rate(times, exact)
    a1 = -np.sin(times) + (-1.5 * np.cos(times) - 3.0 * (v1 - np.cos(times))) / 0.4
    np.testing.assert_allclose(result.drives["F"], 2.0 * a1 - 1.5 * np.sin(times), atol=1e-7)


def test_unreachable_programs_are_refused():
    x1, x2 = masses(2).coordinates
    apart = lk.System("apart", [x1, x2], kinetic=(der(x1) ** 2 + der(x2) ** 2) / 2)
    with pytest.raises(LienketError, match="not appear in the first 2 derivatives of 'law of x2'"):
        apart.drive({x2: sp.sin(t)}, {"F": {x1: 1}}, times=[0.0, 1.0])
    with pytest.raises(LienketError, match="cannot keep 2 programs"):
        crane().drive({x: X, z: Z}, {"F": {s: 1}}, times=[0.0, 1.0], start={"z": 4, "l": 4})


def test_all_faults_of_the_input_are_reported_together():
    with pytest.raises(ModelError) as caught:
        crane().drive({"xx": c, z: s}, {"F": {"ss": 1}}, times=[1, 0], start=3, weights={"Q": 1, "F": -1})
    text = str(caught.value)
    for part in (
        "acts on ss",
        "no drive Q",
        "positive",
        "xx is no coordinate, did you mean 'x'",
        "law of z",
        "times",
        "start",
    ):
        assert part in text
    for motion, part in (
        (5, "a trajectory"),
        (([0, 1], np.zeros((2, 4))), "2 rows are too few"),
        ((np.arange(8), np.zeros((8, 3))), "its shape is (8, 3)"),
        ((np.arange(8), np.full((8, 4), np.nan)), "row 0 is not finite"),
        ({"t": [0, 1], "x": [0, 1], "y": [0, 1]}, "y is no column"),
        ({"t": [0, 1], "x": [0, 1]}, "s, l, z: no columns"),
    ):
        with pytest.raises(ModelError) as caught:
            crane().drive(motion, CRANE_DRIVES)
        assert part in str(caught.value)
    with pytest.raises(ModelError, match="the system has no program"):
        crane().drive({x: X}, times=[0, 1])
    with pytest.raises(ModelError, match="a motion is given, which has its own times"):
        crane().drive((np.arange(8), np.zeros((8, 4))), CRANE_DRIVES, times=[0, 1])


def test_a_run_of_another_system_is_refused():
    run = lk.System("other", [x], kinetic=der(x) ** 2).simulate(start={"x'": 1.0}, until=1.0)
    with pytest.raises(ModelError, match="its coordinates are x; those of this system are s, l, x, z"):
        crane().drive(run, CRANE_DRIVES)


def test_columns_frame_and_figure():
    result = crane().drive({x: X, z: Z}, CRANE_DRIVES, times=[0.0, 1.0], start={"z": 4, "l": 4})
    columns = result.to_dict()
    assert list(columns)[:3] == ["t", "s", "l"]
    np.testing.assert_array_equal(columns["F"], result.drives["F"])
    assert {"power of M_n", "reaction of rope on x", "residual on z", "x''"} <= set(columns)
    frame = result.to_frame()
    np.testing.assert_array_equal(frame["M_n"], result.drives["M_n"])
    assert [axes.get_title(loc="left") for axes in result.plot().axes] == ["drives", "power", "unsupplied force"]
    assert len(result) == 2


def test_bounds_of_a_program_do_not_bound_the_prescribed_motion():
    """The drives along a motion that laws and a program prescribe are those of the program without its bounds."""
    free = lk.System("two masses", [x, z], kinetic=(der(x) ** 2 + 3 * der(z) ** 2) / 2, potential=(x - z) ** 2)
    rows, forces = np.linspace(0, 1, 6), {"F": {x: 1}, "P": {z: 1}}
    program = lk.Program(x - sp.sin(t), {"F": {x: 1}})
    bounded = lk.Program(x - sp.sin(t), {"F": {x: 1}}, bounds={"F": (-0.1, 0.1)})
    results = [free.constrain("path", p).drive({z: t**2}, forces, times=rows) for p in (program, bounded)]
    difference = np.sin(rows) - rows**2
    for result in results:
        np.testing.assert_allclose(result.drives["F"], -np.sin(rows) + 2 * difference, atol=1e-12)
        np.testing.assert_allclose(result.drives["P"], 6 - 2 * difference, atol=1e-12)
