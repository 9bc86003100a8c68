"""Importing lienket is quick and imports nothing that only some runs need."""

import gc
import resource
import subprocess
import sys

import pytest
from conftest import MODELS

from lienket.foundation.lazy_import import without_gc

TELL = "\nimport sys; print(*sorted(sys.modules))"
RUN = f"""
import lienket
system = lienket.load({str(MODELS / "four_bar.toml")!r})
motion = system.simulate(start={{"a": 1.0}}, guess={{"b": 0.5, "c": 1.5}}, until=1)
assert motion.outcome.complete
"""


def modules_after(program):
    """Return the modules that a new process has imported after a program, and the packages they are in."""
    run = subprocess.run([sys.executable, "-c", program + TELL], capture_output=True, text=True, check=True)  # noqa: S603
    names = set(run.stdout.split())
    return names | {name.split(".")[0] for name in names}


def modules_after_import():
    return modules_after("import lienket")


def test_importing_lienket_imports_no_heavy_library():
    heavy = {"matplotlib", "numba", "llvmlite", "dask", "scipy", "pydantic", "tomlkit", "typer", "rich", "pandas"}
    assert (heavy | {"sympy", "symengine", "numpy"}) & modules_after_import() == set()


def test_importing_takes_less_than_a_second():
    """The best of three processes counts, interpreter start included, since other tests run at the same time."""

    def seconds():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        modules_after_import()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)

    modules_after_import()  # the first one may have to write byte code
    assert min(seconds() for _ in range(3)) < 1.0


def test_a_run_from_caches_imports_only_what_it_needs():
    """A run with nothing to compile imports no compiler, no symbolic mechanics and no plots."""
    modules_after(RUN)  # fills the caches
    modules = modules_after(RUN)
    heavy = {"numba", "scipy", "matplotlib", "rich", "typer", "pandas", "tomlkit", "email", "sympy", "symengine"}
    rooms = {"free_system", "elimination", "reactions", "plots", "report", "cli", "kernels.state"}
    rooms |= {"compiled.functions.catalogue"}
    assert (heavy | {f"lienket.{room}" for room in rooms}) & modules == set()
    assert {"numpy", "lienket.simulation.run.loop", "lienket.compiled.model"} <= modules  # no empty list


def test_garbage_made_without_gc_is_collected_afterwards():
    class Ring:
        deleted = 0

        def __init__(self):
            self.me = self

        def __del__(self):
            Ring.deleted += 1

    assert gc.isenabled()
    with without_gc():
        assert not gc.isenabled()
        Ring()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    gc.collect()
    assert Ring.deleted == 1


def test_quick_imports_leave_the_collector_as_it_was():
    gc.disable()
    try:
        with without_gc():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
    with pytest.raises(ImportError), without_gc():
        raise ImportError
    assert gc.isenabled()
