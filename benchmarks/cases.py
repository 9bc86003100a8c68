"""Cases that benchmarks/compare.py times, by name: each prepares its data and returns the function to be timed.

    derive, successive     as formulas: the statement, A q'' = h, stages, equations, reactions
    evaluate               machine code, numbers at one state
    simulate               whole motions, one for each integrator, and their results
    switching, friction    changing structures, contacts
    analysis               start values, equilibria, linearization, sensitivity, drives
    start                  fresh processes

The names before the dot are those of the benchmarks, and `analysis`. This file serves both commits of a comparison, so
the cases use only the public interface of `lienket`. A case that raises an exception in the old commit is left out and
reported. Since results of a statement are cached in the process, cases marked fresh are prepared anew before every
repetition, with new symbols.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import sympy as sp
from peers import andrews, problems
from peers.own_simulation import system_of
from start import RUN
from systems import MODELS, belt, gripped_masses, pendulum, slider_crank, slider_crank_start, squeezer

import lienket as lk

Work = Callable[[], Any]


@dataclass(frozen=True)
class Case:
    """A name, the preparation (not timed), and whether it is repeated before every repetition."""

    name: str
    prepare: Callable[[], Work]
    fresh: bool = False


CASES: dict[str, Case] = {}
_marks = count(1000)  # numbers of equal length, because the order of symbols depends on their names


def case(name: str, fresh: bool = False) -> Callable[[Callable[[], Work]], Callable[[], Work]]:
    """Register the decorated preparation as a case."""

    def entered(prepare: Callable[[], Work]) -> Callable[[], Work]:
        CASES[name] = Case(name, prepare, fresh)
        return prepare

    return entered


def mark() -> str:
    """Return a suffix for the names of a system that is new to this process."""
    return f"_{next(_marks)}"


def free_pendulum(n: int) -> lk.System:
    """Return a new pendulum of n links in relative angles, with SymPy's cache cleared."""
    sp.core.cache.clear_cache()
    q, T, V = pendulum(n, relative=True, mark=mark())
    return lk.System("pendulum", q, kinetic=T, potential=V)


@case("derive.state", fresh=True)
def state() -> Work:
    """Time the step from T and V of a pendulum of 10 links to a checked System."""
    sp.core.cache.clear_cache()
    q, T, V = pendulum(10, relative=True, mark=mark())
    return lambda: lk.System("pendulum", q, kinetic=T, potential=V)


@case("derive.free", fresh=True)
def free() -> Work:
    """Time A and h of a pendulum of 10 links in the symbolic engine."""
    system = free_pendulum(10)
    return lambda: system.free


@case("derive.matrices", fresh=True)
def matrices() -> Work:
    """Time the conversion of A and h of a pendulum of 6 links to SymPy matrices."""
    free = free_pendulum(6).free
    return lambda: (free.A, free.h)


@case("derive.load")
def load() -> Work:
    """Time reading and checking a model file."""
    return lambda: lk.load(MODELS / "andrews_squeezer.toml")


@case("successive.stages", fresh=True)
def stages() -> Work:
    """Time all stages of Andrews' squeezer, with verdicts."""
    sp.core.cache.clear_cache()
    system = squeezer(mark())
    _ = system.free
    return system.stages


@case("successive.equations", fresh=True)
def equations() -> Work:
    """Time the reduced equations of a slider-crank of 6 coordinates as text."""
    sp.core.cache.clear_cache()
    system = slider_crank(False, mark())
    return lambda: system.equations("reduced").text()


@case("successive.reactions", fresh=True)
def reactions() -> Work:
    """Time the reactions of a crank and a rod of 6 coordinates as text, from their stages."""
    sp.core.cache.clear_cache()
    system = slider_crank(False, mark()).release("guide").release("slider pin")
    system.stages()
    return lambda: str(system.reactions())


@case("evaluate.machine_code", fresh=True)
def machine_code() -> Work:
    """Time the step from the statement of Andrews' squeezer to the first accelerations, with an empty cache."""
    system = squeezer(mark())
    q, v = andrews.squeezer().start

    def work() -> Any:
        before = os.environ.get("LIENKET_CACHE_DIR")
        with tempfile.TemporaryDirectory(prefix="lienket-case-") as place:
            os.environ["LIENKET_CACHE_DIR"] = place
            try:
                return system.compile().evaluate(0.0, q, v).accelerations
            finally:
                os.environ.pop("LIENKET_CACHE_DIR")
                if before is not None:
                    os.environ["LIENKET_CACHE_DIR"] = before

    _ = lk.load(MODELS / "andrews_squeezer.toml").compile().evaluate(0.0, q, v).accelerations  # loads the kernels
    return work


@case("evaluate.many")
def many() -> Work:
    """Time accelerations and multipliers of Andrews' squeezer at 10 000 states in one call."""
    compiled = lk.load(MODELS / "andrews_squeezer.toml").compile()
    q, v = (np.tile(x, (10_000, 1)) for x in andrews.squeezer().start)

    def work() -> Any:
        found = compiled.evaluate(0.0, q, v)
        return found.accelerations, found.multipliers

    return work


@case("evaluate.one")
def one() -> Work:
    """Time the accelerations at one state, called from Python."""
    compiled = lk.load(MODELS / "andrews_squeezer.toml").compile()
    q, v = andrews.squeezer().start
    return lambda: compiled.evaluate(0.0, q, v).accelerations


@case("evaluate.at")
def at() -> Work:
    """Time accelerations, reactions and audit of five four-bars, 11 coordinates and 10 rows, at one state."""
    problem = problems.four_bars(5)
    system, _ = system_of(problem)
    q, v = problem.start

    def work() -> Any:
        state = system.at(q + 0.1, v)
        return state.accelerations, state.reactions, state.audit

    return work


def small_state() -> tuple[lk.System, np.ndarray, np.ndarray]:
    """Return the rolling disc, 3 coordinates and 2 rows, and a state on its constraints."""
    return lk.load(MODELS / "rolling_disc.toml"), np.array([0.0, 0.37, 0.0]), np.array([0.37, 0.0, -1.0])


@case("evaluate.small")
def small() -> Work:
    """Time the accelerations of a small system at one state by `compile().evaluate`, called from Python."""
    system, q, v = small_state()
    compiled = system.compile()
    return lambda: compiled.evaluate(0.0, q, v).accelerations


@case("evaluate.small_at")
def small_at() -> Work:
    """Time the accelerations of a small system at one state by `system.at`."""
    system, q, v = small_state()
    return lambda: system.at(q, v).accelerations


@case("evaluate.contacts")
def contacts() -> Work:
    """Time accelerations and reactions of a mass on a belt at 200 states, a third of which stick."""
    compiled = lk.load(MODELS / "belt.toml").compile()
    rng = np.random.default_rng(0)
    q, v = rng.uniform(-0.1, 0.1, (200, 2)), rng.uniform(-1, 1, (200, 2))
    v[::3] = [0.15, 0.0]

    def work() -> Any:
        found = compiled.evaluate(0.0, q, v)
        return found.accelerations, found.reactions

    return work


def motion(problem: problems.Problem, method: str, tolerance: float, **more: Any) -> Work:
    """Time a whole run of one of the problems of benchmarks/simulate.py, from a given consistent state.

    A side whose run stops before its end cannot be compared.
    """
    system, values = system_of(problem)
    start = system.consistent(problem.start, values, others=False)
    options = {"method": method, "rtol": tolerance, "atol": tolerance, "times": [problem.until], **more}
    found = system.simulate(values, start=start, until=problem.until, **options)
    if not found.outcome.complete:
        raise RuntimeError(str(found.outcome))
    return lambda: system.simulate(values, start=start, until=problem.until, **options)


MOTIONS: dict[str, tuple[Callable[[], problems.Problem], str, float, dict[str, Any]]] = {
    "squeezer": (problems.squeezer, "auto", 1e-9, {}),
    "four_bar": (problems.four_bar, "auto", 1e-9, {}),
    "four_bars": (lambda: problems.four_bars(5), "auto", 1e-9, {}),
    "carriage": (problems.carriage, "auto", 1e-9, {}),
    "stiff": (problems.stiff_carriage, "auto", 1e-7, {}),
    "radau5": (problems.squeezer, "radau5", 1e-8, {}),
    "bdf": (problems.squeezer, "bdf", 1e-7, {}),
    "rattle": (problems.four_bar, "rattle", 1e-8, {"step": 0.01}),
}
for _name, _given in MOTIONS.items():
    case(f"simulate.{_name}")(lambda given=_given: motion(given[0](), given[1], given[2], **given[3]))


@case("simulate.small")
def small_run() -> Work:
    """Time a short run of a small system from a part of its start values."""
    system, _, _ = small_state()
    return lambda: system.simulate(start={"x'": 0.74}, until=0.1)


@case("simulate.small_whole")
def small_run_from_all_numbers() -> Work:
    """Time a short run of a small system from all of its start values, by name."""
    system, q, v = small_state()
    names = ("x", "y", "phi")
    start = dict(zip([*names, *(f"{x}'" for x in names)], [*q.tolist(), *v.tolist()], strict=True))
    return lambda: system.simulate(start=start, until=0.01)


@case("simulate.small_loop")
def small_loop() -> Work:
    """Time a short run of a four-bar from its crank, with a guess of the other angles."""
    system, start, guess = four_bar_in_place()
    return lambda: system.simulate(start=start, guess=guess, until=0.01)


@case("simulate.small_squeezer")
def small_squeezer() -> Work:
    """Time a short run of Andrews' squeezer from its whole state, (q, v)."""
    system = lk.load(MODELS / "andrews_squeezer.toml")
    start = andrews.squeezer().start
    return lambda: system.simulate(start=start, until=1e-4)


@case("simulate.small_from_start")
def small_run_from_start() -> Work:
    """Time a short run of a small system from a consistent start, with its steps as rows."""
    system, _, _ = small_state()
    start = system.consistent({"x'": 0.74})
    return lambda: system.simulate(start=start, until=0.1)


@case("simulate.results")
def results() -> Work:
    """Time a run with all its steps as rows, and its accelerations, reactions, energy and audit."""
    problem = problems.four_bar()
    system, values = system_of(problem)
    start = system.consistent(problem.start, values, others=False)

    def work() -> Any:
        found = system.simulate(values, start=start, until=problem.until)
        return found.accelerations, found.reactions, found.energy, found.audit

    return work


@case("switching.grip")
def grip() -> Work:
    """Time 500 changes of structure, every second one with an impact."""
    masses, until = gripped_masses(), 500 * np.pi / 7
    options = {"until": until, "rtol": 1e-6, "atol": 1e-8, "times": [until]}
    return lambda: masses.simulate(start={"x": 1.0, "y'": 0.5}, **options)


def crank(rough: bool) -> Work:
    """Time about 50 turns of the slider-crank."""
    system = slider_crank(rough)
    start = slider_crank_start(system)
    return lambda: system.simulate(start=start, until=5.0, times=[5.0])


case("friction.ideal")(lambda: crank(False))
case("friction.slider_crank")(lambda: crank(True))


@case("friction.stick_slip")
def stick_slip() -> Work:
    """Time a mass on a moving belt that sticks and slips 100 times."""
    system = belt()
    return lambda: system.simulate(start={"x": 0.0, "x'": 0.5}, until=167.8, times=[167.8])


@case("friction.impacts")
def impacts() -> Work:
    """Time a body that is thrown on a rough slope, bounces, slides and stops."""
    system = lk.load(MODELS / "thrown_body.toml")
    return lambda: system.simulate(start={"y": 0.3, "x'": 3.0}, until=1.5)


def four_bar_in_place() -> tuple[lk.System, dict[str, float], dict[str, float]]:
    """Return the four-bar of the example, a start and a guess of the other angles."""
    return lk.load(MODELS / "four_bar.toml"), {"a": 1.0, "a'": 3.0}, {"b": 0.5, "c": 1.5}


@case("analysis.consistent")
def consistent() -> Work:
    """Time a consistent state, without the search for other assemblies."""
    system, start, guess = four_bar_in_place()
    return lambda: system.consistent(start, guess=guess, others=False)


@case("analysis.consistent_others")
def consistent_others() -> Work:
    """Time a consistent state of a small system, of which no other assemblies are possible."""
    system, _, _ = small_state()
    return lambda: system.consistent({"x'": 0.74})


@case("analysis.consistent_search")
def consistent_search() -> Work:
    """Time a consistent state of Andrews' squeezer without a guess: a search from 48 initial points."""
    system = lk.load(MODELS / "andrews_squeezer.toml")
    return lambda: system.consistent(others=False)


@case("analysis.equilibrium")
def equilibrium() -> Work:
    """Time an equilibrium with its stability."""
    system, _, guess = four_bar_in_place()
    return lambda: system.equilibrium(guess={"a": -1.0, **guess}).stable


@case("analysis.linearize")
def linearize() -> Work:
    """Time the linearization at an equilibrium and its eigenvalues."""
    system, _, guess = four_bar_in_place()
    rest = system.equilibrium(guess={"a": -1.0, **guess})
    return lambda: system.linearize(rest).eigenvalues


@case("analysis.sensitivity")
def sensitivity() -> Work:
    """Time the derivatives of one second of motion by two parameters and a start value."""
    system, start, guess = four_bar_in_place()
    return lambda: system.sensitivity(start=start, guess=guess, until=1.0, by=["m2", "l1", "a'"]).values


@case("analysis.drive")
def drive() -> Work:
    """Time the torque that a motion requires, at all its rows."""
    system, start, guess = four_bar_in_place()
    run, drives = system.simulate(start=start, guess=guess, until=1.0), {"M": {system.coordinates[0]: 1}}
    return lambda: system.drive(run, drives).drives


@case("analysis.drive_again")
def drive_again() -> Work:
    """Time the torque for a law of the output, 51 rows, with the same system, law and drives as before."""
    system, _, guess = four_bar_in_place()
    crank = system.coordinates[0]
    law, drives, times = {crank: 1 + 3 * lk.t}, {"M": {crank: 1}}, np.linspace(0.0, 1.0, 51)
    return lambda: system.drive(law, drives, times=times, start={"a": 1.0, **guess}).drives


def process(*arguments: str) -> Work:
    """Time a fresh Python process that imports the package of this process, from its start to its end."""
    source = os.path.dirname(os.path.dirname(os.path.abspath(lk.__file__)))
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    surroundings = kept | {"PYTHONPATH": source, "OPENBLAS_NUM_THREADS": "1"}

    def work() -> None:
        subprocess.run([sys.executable, *arguments], env=surroundings, check=True, stdout=subprocess.DEVNULL)

    return work


case("start.simulate")(lambda: process("-c", RUN))
case("start.help")(lambda: process("-m", "lienket", "--help"))
