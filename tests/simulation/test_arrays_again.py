"""Runs of one model reuse the workspace of the previous run, without an effect on the results."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import MODELS

import lienket as lk
from lienket.simulation.stepping import workspace

START, GUESS = {"a": 1.0, "a'": 3.0}, {"b": 0.5, "c": 1.5}
METHODS = ["dop853", "radau5", "bdf", "rattle", "rattle4", "auto"]


@pytest.fixture(scope="module")
def system():
    return lk.load(MODELS / "four_bar.toml")


@pytest.fixture(scope="module")
def start(system):
    return system.consistent(START, guess=GUESS)


@pytest.fixture
def taken(monkeypatch):
    """Return a list with one entry for each reuse of a workspace."""
    count, again = [], workspace.Workspace.reset
    monkeypatch.setattr(
        workspace.Workspace, "reset", lambda self, *arguments: count.append(1) or again(self, *arguments)
    )
    workspace._spare.cache_clear()
    return count


def run(system, start, method="dop853", **more):
    step = {"step": 1e-3} if method.startswith("rattle") else {}
    return system.simulate(start=start, method=method, times=[0.5, 1.0], **step, **more)


@pytest.mark.parametrize("method", METHODS)
def test_a_run_is_the_same_after_any_other(system, start, taken, method):
    first = run(system, start, method)
    assert taken == []
    for other in METHODS:
        run(system, start, other, rtol=1e-5, atol=1e-7)
    failed = system.simulate(start=start, method="dop853", times=[0.5, 1.0], step=0.4)  # a step that tolerances forbid
    assert not failed.outcome.complete
    assert run(system, start, method) == first
    assert len(taken) == len(METHODS) + 2


@pytest.mark.parametrize("method", METHODS)
def test_rows_at_steps_are_the_same_after_any_other_run(system, start, taken, method):
    def steps(method, **more):
        step = {"step": 1e-3} if method.startswith("rattle") else {}
        return system.simulate(start=start, method=method, until=0.5, **step, **more)

    first = steps(method)
    q = first.q.copy()
    for other in METHODS:
        steps(other, rtol=1e-5, atol=1e-7)
    again = steps(method)
    assert again == first and len(taken) == len(METHODS) + 1
    assert (first.q == q).all() and not np.shares_memory(first.q, again.q)
    fewer = steps(method, most_rows=20)  # another number of rows takes another workspace
    assert len(taken) == len(METHODS) + 1 and len(fewer.t) <= 20


def test_a_system_too_large_keeps_no_workspace(taken):
    """Rows at steps of 4096 times 2 n + 4 numbers are kept up to n = 30."""
    for n, reused in ((30, 1), (31, 0)):
        q = lk.coordinates(" ".join(f"x{k}" for k in range(n)))
        masses = lk.System("masses", q, kinetic=sum(lk.der(x) ** 2 for x in q), potential=sum(x**2 for x in q))
        runs = [masses.simulate(start={"x3": 1.0}, until=0.1) for _ in range(2)]
        assert runs[0] == runs[1] and len(taken) == reused
        taken.clear()


def test_a_run_without_formulas_reuses_it(taken, tmp_path):
    """A model known from an earlier process states its corners anew in each run."""
    lk.save(lk.load(MODELS / "slider_crank.toml"), tmp_path / "crank.toml")
    lk.load(tmp_path / "crank.toml").simulate(start={"phi": 0.5}, until=0.1)
    known = lk.load(tmp_path / "crank.toml")
    runs = [known.simulate(start={"phi": 0.5}, until=0.1) for _ in range(3)]
    assert not known.formulas_are_read
    assert len(taken) == 2 and runs[0] == runs[1] == runs[2]


def test_rows_of_a_run_are_not_overwritten_by_the_next(system, start, taken):
    first = run(system, start)
    q, t = first.q.copy(), first.t.copy()
    second = run(system, start, rtol=1e-4, atol=1e-4)
    assert len(taken) == 1
    assert (first.q == q).all()
    assert (first.t == t).all()
    assert not (second.q == q).all()
    assert not np.shares_memory(first.q, second.q)


def test_runs_with_other_values_and_times(system, start, taken):
    values = {name: 1.1 * float(value) for name, value in list(system.values.items())[:1]}
    other = system.consistent({"a": 1.2, "a'": 2.0}, values, guess=GUESS)
    fresh = system.simulate(values, start=other, times=[0.3, 0.7])
    workspace._spare.cache_clear()
    run(system, start)
    assert system.simulate(values, start=other, times=[0.3, 0.7]) == fresh
    assert len(taken) == 1
    system.simulate(values, start=other, times=[0.3])  # another length takes another workspace
    system.simulate(values, start=other, until=0.3)  # so do rows at steps
    assert len(taken) == 1


def test_threads_do_not_share_arrays(system):
    speeds = np.linspace(1.0, 4.0, 24)
    starts = [system.consistent({"a": 1.0, "a'": speed}, guess=GUESS) for speed in speeds]
    one_by_one = [run(system, start, rtol=1e-10, atol=1e-12) for start in starts]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda start: run(system, start, rtol=1e-10, atol=1e-12), starts))
    assert all(a == b for a, b in zip(together, one_by_one, strict=True))


def test_a_run_inside_a_run(system, start, taken):
    """A progress function may run the same system."""
    inner, plain = [], run(system, start)
    outer = run(system, start, progress=lambda t: inner.append(run(system, start)))
    assert outer == plain
    assert inner
    assert all(x == plain for x in inner)
