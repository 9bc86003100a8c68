"""Importing lienket is quick and brings in nothing that only some runs need."""

import resource
import subprocess
import sys

LIGHT = "import sys, lienket; print(*sorted({name.split('.')[0] for name in sys.modules}))"


def modules_after_import():
    run = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=True)  # noqa: S603
    return set(run.stdout.split())


def test_importing_brings_in_no_heavy_library():
    heavy = {"matplotlib", "numba", "llvmlite", "dask", "scipy", "pydantic", "tomlkit", "typer", "rich", "pandas"}
    assert (heavy | {"sympy", "symengine", "numpy"}) & modules_after_import() == set()


def test_importing_takes_less_than_a_second():
    """Processor time, interpreter start included, the best of three: other tests run at the same time."""

    def seconds():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        modules_after_import()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)

    modules_after_import()  # the first one may have to write byte code
    assert min(seconds() for _ in range(3)) < 1.0
