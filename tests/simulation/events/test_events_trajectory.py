"""Trajectories with changing constraints: columns, times, slices, pickles, files, plots."""

import io
import pickle

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der

k, e = lk.parameters("k e")
x, y = lk.coordinates("x y")
STRICT = {"rtol": 1e-11, "atol": 1e-12}


def carts():
    """Return a cart on a spring that grips a load and drops it while the stiffness changes."""
    system = lk.System(
        "carts", [x, y], kinetic=der(x) ** 2 / 2 + der(y) ** 2, potential=k * x**2 / 2, values={"k": 0.1}
    )
    grasp = lk.Event("grasp", when=x - y, direction="rising", add={"grip": x - y})
    drop = lk.Event("drop", when=x - 3, direction="rising", release="grip", set={k: e * k})
    return system.watch(grasp, drop)


def run(**more):
    return carts().simulate({"e": 2.0}, start={"x'": 3.0, "y": 1.5}, until=4, **(STRICT | more))


@pytest.fixture(scope="module")
def motion():
    return run()


def switches(motion):
    return [s.t for s in motion.switches]


class TestRows:
    def test_columns_are_nan_while_a_constraint_is_released(self, motion):
        part = motion._run.history.part
        acting = part == 1
        assert 0 < acting.sum() < len(motion)
        for column in (motion.reactions["grip"][:, 0], motion.multipliers[:, 0], motion.residuals["position"]["grip"]):
            assert np.array_equal(np.isfinite(column), acting)
        assert np.isfinite(motion.accelerations).all()
        assert np.isfinite(motion.energy.imbalance).all()
        force = motion.reactions["grip"][acting]
        np.testing.assert_allclose(force[:, 1], -force[:, 0], rtol=1e-12)
        np.testing.assert_allclose(force[:, 1], 2 * motion.accelerations[acting, 1], rtol=1e-9, atol=1e-12)

    def test_both_states_of_a_switch_are_rows(self, motion):
        for switch in motion.switches:
            before, after = np.flatnonzero(motion.t == switch.t)
            assert np.array_equal(motion.v[before], switch.v_before)
            assert np.array_equal(motion.v[after], switch.v)
            assert np.array_equal(motion.q[before], motion.q[after])

    def test_motion_follows_the_closed_solution_of_each_part(self, motion):
        """x = a sin(w t) at first, then as one mass of 3, then with the other spring."""
        first, second = switches(motion)
        w = np.sqrt(0.1)
        np.testing.assert_allclose(first, np.arcsin(1.5 * w / 3) / w, atol=1e-10)
        early = motion.t < first
        np.testing.assert_allclose(motion.q[early, 0], 3 / w * np.sin(w * motion.t[early]), atol=1e-9)
        state = motion.at(second)
        end = motion.t > second
        time, w = motion.t[end] - second, np.sqrt(0.2)
        exact = state.q[0] * np.cos(w * time) + state.v[0] / w * np.sin(w * time)
        np.testing.assert_allclose(motion.q[end, 0], exact, atol=1e-9)
        assert motion.audit.ok
        assert "2 changes of the system" in str(motion.audit)

    def test_rows_at_given_times(self, motion):
        first, second = switches(motion)
        times = np.sort([0.0, first, 1.0, 1.5, second, 3.0, 4.0])
        sampled = run(times=times)
        assert np.array_equal(sampled.t, times)
        assert switches(sampled) == [first, second]
        np.testing.assert_allclose(sampled.q, motion.sampled(times).q, rtol=0, atol=1e-10)
        together = (times > first) & (times <= second)  # a row at a switch is the state before it
        assert np.array_equal(np.isfinite(sampled.multipliers[:, 0]), together)
        assert np.array_equal(sampled.v[times == first][0], sampled.switches[0].v_before)

    def test_few_rows_with_many_events(self):
        system = lk.System("two", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=x**2 / 2)
        on = lk.Event("on", when=sp.sin(7 * lk.t), direction="rising", add={"hold": der(x) - der(y)})
        off = lk.Event("off", when=sp.sin(7 * lk.t), direction="falling", release="hold")
        thinned = system.simulate(start={"x": 1.0}, until=60, events=[on, off], most_rows=40)
        whole = system.simulate(start={"x": 1.0}, until=60, events=[on, off])
        assert len(thinned) <= 40 < len(whole)
        assert (
            len(thinned.switches) == len(whole.switches) == 132
        )  # the first zero of sin 7 t is falling, with no constraint to release
        assert "to keep at most 40 " in thinned.outcome
        assert thinned.t[-1] == 60
        np.testing.assert_allclose(thinned.at(31.3).q, whole.at(31.3).q, rtol=0, atol=1e-7)
        assert thinned.structure(31.3) == whole.structure(31.3)
        assert np.abs(whole.energy.imbalance).max() < 1e-5


class TestBetween:
    def test_at_any_time(self, motion):
        first, second = switches(motion)
        w = np.sqrt(0.1)
        assert motion.at(0.3).q[0] == pytest.approx(3 / w * np.sin(0.3 * w), abs=1e-9)
        assert list(motion.at(0.3).reactions) == []
        together = motion.at(0.5 * (first + second))
        assert list(together.reactions) == ["grip"]
        assert together.accelerations[0] == pytest.approx(-0.1 * together.q[0] / 3, rel=1e-9)
        late = motion.at(3.9)
        assert late.accelerations == pytest.approx([-0.2 * late.q[0], 0], abs=1e-9)
        assert np.array_equal(motion.at(first).v, motion.switches[0].v)

    def test_sampled(self, motion):
        sampled = motion.sampled(101)
        for t, q, multiplier in zip(sampled.t, sampled.q, sampled.multipliers[:, 0], strict=True):
            assert np.isfinite(multiplier) == (motion.structure(t) == ("grip",))
            np.testing.assert_allclose(q, motion.at(t).q, rtol=0, atol=1e-10)
        assert np.abs(sampled.energy.imbalance).max() < 1e-9
        assert sampled.switches[0].t == motion.switches[0].t

    def test_structure(self, motion):
        first, second = switches(motion)
        times = (0.0, first - 1e-9, first, second - 1e-9, second, 4.0)
        assert [motion.structure(t) for t in times] == [(), (), ("grip",), ("grip",), (), ()]
        with pytest.raises(lk.LienketError, match="outside the run"):
            motion.structure(4.1)

    def test_slices(self, motion):
        first, second = switches(motion)
        late = motion[int(np.searchsorted(motion.t, second, side="right")) :]
        assert late.structure(3.9) == ()
        assert late.audit.ok
        np.testing.assert_allclose(late.at(3.95).q, motion.at(3.95).q, rtol=0, atol=1e-10)
        every = motion[::2]
        np.testing.assert_allclose(every.at(first + 0.1).v, motion.at(first + 0.1).v, rtol=0, atol=1e-9)
        assert np.array_equal(every.multipliers, motion.multipliers[::2], equal_nan=True)


class TestKept:
    def test_equality(self, motion):
        assert motion == run()
        assert motion != run(rtol=1e-9)

    def test_pickle(self, motion):
        restored = pickle.loads(pickle.dumps(motion))
        self.same(restored, motion)

    @pytest.mark.parametrize("suffix", ["npz", "csv"])
    def test_files(self, motion, tmp_path, suffix):
        motion.save(tmp_path / f"motion.{suffix}")
        self.same(lk.load(tmp_path / f"motion.{suffix}"), motion)

    @staticmethod
    def same(restored, motion):
        assert restored == motion
        assert restored.outcome == motion.outcome
        assert np.array_equal(restored.multipliers, motion.multipliers, equal_nan=True)
        assert np.array_equal(restored.at(1.0).accelerations, motion.at(1.0).accelerations)
        assert [str(s) for s in restored.switches] == [str(s) for s in motion.switches]
        for a, b in zip(restored.switches, motion.switches, strict=True):
            assert all(np.array_equal(a.impulses[name], b.impulses[name]) for name in b.impulses)
        assert {name: list(t) for name, t in restored.events.items()} == {n: list(t) for n, t in motion.events.items()}

    def test_a_damaged_history_is_refused(self, motion, tmp_path):
        motion.save(tmp_path / "motion.csv")
        text = (tmp_path / "motion.csv").read_text()
        assert '""structure"":[0,1,0]' in text or '"structure":[0,1,0]' in text
        (tmp_path / "motion.csv").write_text(text.replace('structure":[0,1,0]', 'structure":[0,1,9]'))
        with pytest.raises(lk.LienketError, match="history of its events is incomplete or inconsistent"):
            lk.load(tmp_path / "motion.csv")

    def test_plot(self, motion):
        file = io.BytesIO()
        motion.plot().savefig(file, format="png")
        assert file.getvalue().startswith(b"\x89PNG")
        assert len(file.getvalue()) > 20_000
