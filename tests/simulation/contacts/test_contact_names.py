"""Names of constraints decide nothing: contacts are recognised by fields, whatever their constraints are called."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases

import lienket as lk
from lienket import der

TIGHT = {"rtol": 1e-9, "atol": 1e-11}
ORDINARY = ("floor", "between", "rope")
NASTY = (
    "belt",
    "belt, sticking",
    "belt, sticking 2",
    "belt, sticking, sticking",
    "rope, sticking",
    ", sticking",
    "direction(belt)",
    "sense(belt)",
    "direction(belt, sticking)",
    "multiplier(belt, 0)",
    "(",
)
START = {"x1": 0.0, "y1": 0.0, "x2": 0.0, "y2": 0.0}
q, AT_REST, SLIDING = [0.0] * 5, [0.0] * 5, [0.4, 0.0, 0.1, 0.0, 0.4]


def blocks(names=ORDINARY, unilateral=False):
    """Return two stacked blocks; the lower one is pulled by a rope that a third block holds."""
    floor, between, rope = names
    P = lk.parameters("P")
    x1, y1, x2, y2, z = lk.coordinates("x1 y1 x2 y2 z")
    kinetic = (2 * (der(x1) ** 2 + der(y1) ** 2) + der(x2) ** 2 + der(y2) ** 2 + der(z) ** 2) / 2
    system = lk.System(
        "blocks", [x1, y1, x2, y2, z], kinetic=kinetic, potential=10 * (2 * y1 + y2),
        forces={x1: P * lk.t}, values={P: 4},
    )  # fmt: skip
    law = lk.Coulomb(0.2, slip=der(x1), mu_static=0.25, unilateral=unilateral)
    system = system.constrain(floor, y1, law=law)
    system = system.constrain(between, y2 - y1, law=lk.Coulomb(0.3, slip=der(x2) - der(x1), viscous=0.1))
    return system.constrain(rope, z - x1)


def same(one, other, names):
    """Assert that two mappings by constraint have equal numbers; `names` are the nasty names in the order of ORDINARY.

    Names of sticking constraints are internal, so that only those of the statement are compared.
    """
    for old, new in zip(ORDINARY, names, strict=True):
        assert (old in one) == (new in other)
        if old in one:
            np.testing.assert_array_equal(one[old], other[new])


@random_cases(6)
@given(st.permutations(NASTY), st.booleans(), st.sampled_from([AT_REST, SLIDING]))
def test_states_do_not_depend_on_names(order, unilateral, v):
    names = tuple(order[:3])
    one, other = blocks(unilateral=unilateral), blocks(names, unilateral)
    a, b = one.at(q, v, t=0.3), other.at(q, v, t=0.3)
    np.testing.assert_array_equal(a.accelerations, b.accelerations)
    np.testing.assert_array_equal(a.multipliers, b.multipliers)
    assert set(a.reactions) == set(ORDINARY) and set(b.reactions) == set(names)
    same(a.reactions, b.reactions, names)
    assert list(a.contacts.values()) == list(b.contacts.values())
    assert a.audit.ok and b.audit.ok
    for old, new in zip(ORDINARY, names, strict=True):
        same(a.release(old).reactions, b.release(new).reactions, names)
    one, other = one.compile().evaluate(0.3, q, v), other.compile().evaluate(0.3, q, v)
    for attribute in ("accelerations", "multipliers", "reactions", "exerted", "by_q", "by_parameters"):
        np.testing.assert_array_equal(getattr(one, attribute), getattr(other, attribute))
    for attribute in ("modes", "friction"):
        same(getattr(one, attribute), getattr(other, attribute), names)


@random_cases(4)
@given(st.permutations(NASTY), st.booleans())
def test_motions_do_not_depend_on_names(order, unilateral):
    names = tuple(order[:3])
    one, other = (blocks(n, unilateral).simulate(start=START, until=6, **TIGHT) for n in (ORDINARY, names))
    assert len(one.switches) == len(other.switches) >= 2
    np.testing.assert_array_equal(one.q, other.q)
    np.testing.assert_array_equal(one.accelerations, other.accelerations)
    np.testing.assert_array_equal(one.multipliers, other.multipliers)
    for of in ("reactions", "work"):
        same(getattr(one, of), getattr(other, of), names)
    assert one.audit.ok and other.audit.ok
    for (old, a), (new, b) in zip(one.to_dict().items(), other.to_dict().items(), strict=True):
        assert new == old or any(name in new for name in names)
        np.testing.assert_array_equal(a, b)
    for old, new in zip(ORDINARY[:2], names, strict=False):
        for attribute in ("mode", "normal", "friction"):
            np.testing.assert_array_equal(
                getattr(one.contacts[old], attribute), getattr(other.contacts[new], attribute)
            )
    for t in (0.5, 2.0, 5.9):
        same(one.at(t).reactions, other.at(t).reactions, names)


@random_cases(3)
@given(st.permutations(NASTY))
def test_drives_do_not_depend_on_names(order):
    names = tuple(order[:3])
    results = []
    for chosen in (ORDINARY, names):
        system = blocks(chosen)
        motion = system.simulate(start=START, until=6, **TIGHT)
        results.append(system.drive(motion, drives={"F": {"x1": 1}}))
    one, other = results
    np.testing.assert_array_equal(one.drives["F"], other.drives["F"])
    np.testing.assert_array_equal(one.multipliers, other.multipliers)
    assert set(one.reactions) == set(ORDINARY) and set(other.reactions) == set(names)
    same(one.reactions, other.reactions, names)


@pytest.mark.parametrize("names", [("belt", "belt, sticking", "belt, sticking 2"), ("direction(belt)", "belt", "(")])
@pytest.mark.parametrize("ending", ["npz", "csv"])
def test_files_keep_any_names(names, ending, tmp_path):
    system = blocks(names)
    lk.save(system, tmp_path / "model.toml")
    again = lk.load(tmp_path / "model.toml")
    assert again.statement == system.statement
    motion = again.simulate(start=START, until=6, **TIGHT)
    motion.save(tmp_path / f"motion.{ending}")
    loaded = lk.load(tmp_path / f"motion.{ending}")
    np.testing.assert_array_equal(loaded.multipliers, motion.multipliers)
    for name in names:
        np.testing.assert_array_equal(loaded.reactions[name], motion.reactions[name])
    assert str(loaded) == str(motion)
    assert [str(s) for s in loaded.switches] == [str(s) for s in motion.switches]
    assert pickle.loads(pickle.dumps(system)).at(q, AT_REST).contacts == system.at(q, AT_REST).contacts


def test_a_constraint_with_the_name_of_a_sticking_one_keeps_its_reaction():
    """The rope "belt, sticking" carries its own force, m a of the held block; the contact "belt" has friction alone."""
    system = blocks(("belt", "between", "belt, sticking"))
    state = system.at(q, [1.0, 0.0, 1.0, 0.0, 1.0], t=0.0)
    a = state["z''"]
    np.testing.assert_allclose(state.reactions["belt, sticking"], [-a, 0, 0, 0, a], atol=1e-12)
    np.testing.assert_allclose(state.reactions["belt"], [-0.2 * 30, 30, 0, 0, 0], rtol=1e-12)
    motion = system.simulate(start=START | {"x1'": 1.0, "x2'": 1.0}, until=0.5, outputs={
        "T": lk.multiplier("belt, sticking")})  # fmt: skip
    np.testing.assert_allclose(motion.outputs["T"], motion["z''"], rtol=1e-9, atol=1e-9)


def test_release_of_a_contact_that_sticks_releases_its_slip():
    """Without the floor the lower block has the force P t in x alone and falls with g; the other contact stays."""
    state = blocks().at(q, AT_REST, t=0.3)
    assert state.contacts["floor"].mode == "sticks"
    released = state.release("floor")
    np.testing.assert_allclose(released.accelerations, [1.2 / 4, -10, 1.2 / 4, -10, 1.2 / 4], atol=1e-12)
    assert set(released.contacts) == {"between"}
    influence = state.influence(of="floor", on="rope")
    np.testing.assert_allclose(influence, state.reactions["rope"] - released.reactions["rope"], rtol=0, atol=0)
    assert ("floor", "between") in state.influences
    with pytest.raises(lk.errors.UnknownName, match="reaction of its own"):
        state.influence(of="rope", on="floor, sticking")


def test_a_parameter_in_parentheses_is_refused():
    """No name of a user can be that of an internal sign."""
    import sympy as sp

    sign = sp.Symbol("direction(floor)", real=True)
    x = lk.coordinates("x")
    with pytest.raises(lk.ModelError, match=r"'direction\(floor\)' is not a valid name"):
        lk.System("mass", [x], kinetic=sign * der(x) ** 2)
    with pytest.raises(lk.ModelError, match=r"'direction\(floor\)' is not a valid name"):
        blocks().watch(lk.Event("slides", when=sign - 1))
