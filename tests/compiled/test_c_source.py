"""Functions as C source compile without a warning by the system's compiler and agree with the machine code."""

import ctypes
import math
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from compiling import ideal
from test_dense import chain

import lienket as lk
from lienket import der
from lienket.assembly.evaluation.compiled_system import FUNCTIONS
from lienket.errors import LienketError, UnknownName

MODELS = sorted((Path(__file__).parents[2] / "examples" / "models").glob("*.toml"))
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang") or "cc"
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-O0", "-shared", "-fPIC")
x, y, z = lk.coordinates("x y z")
m, k, g = lk.parameters("m k g")


def bumpy():
    """Return a system with a table and its derivatives, all cases and all functions of the formula language."""
    road = lk.table("road", [-3, -1, 0, 0.5, 2, 3], [0, 1, 0.5, 2, -1, 0], outside="hold")
    ramp = lk.table("ramp", [0, 1, 3], [0, 2, 1], kind="linear", outside="error")
    swing = lk.table("swing", [0, 1, 2, 3], [0, 1, -1, 0], kind="pchip", outside="extrapolate")
    V = m * g * y + k * sp.Max(x, y**2, 0) + sp.Piecewise((x**2, x > 1), (2 * x - 1, True)) + road(x) + sp.Abs(y) ** 3
    forces = {
        x: -sp.sign(der(x)) * sp.Min(k, sp.Abs(der(x))) + ramp(lk.t) + swing(4 * x),
        y: sp.atan2(y, 2 + x) + sp.exp(-x) * sp.tanh(y) + sp.log(3 + x) + sp.asin(x / 4) + sp.acos(y / 4),
        z: sp.atan(z) + sp.sinh(z) + sp.cosh(z) + sp.tan(z / 3) + (2 + x) ** sp.Rational(1, 3) + sp.sqrt(2 + x),
    }
    T = m * (der(x) ** 2 + der(y) ** 2 + der(z) ** 2) / 2
    system = lk.System("bumpy", [x, y, z], kinetic=T, potential=V, forces=forces, values={"m": 1, "k": 2, "g": 9.81})
    return system.constrain("way", z - road(x) - sp.sin(y))


SYSTEMS = {path.stem: (lambda path=path: ideal(lk.load(path))) for path in MODELS}
SYSTEMS |= {"bumpy": bumpy, "chain of 12": lambda: chain(12), "chain of 16, held": lambda: chain(16, 2)}


@pytest.fixture(
    scope="module",
    params=[name if k % 3 == 0 else pytest.param(name, marks=pytest.mark.slow) for k, name in enumerate(SYSTEMS)],
    ids=str,
)
def compiled(request, tmp_path_factory):
    """Return a system, its machine code, and its functions as one compiled C library."""
    system = SYSTEMS[request.param]()
    first, second = system.coordinates[0], system.coordinates[-1]
    outputs = {"place": sp.sin(first) * second, "push": der(first, 2) + der(second)}
    machine = system.compile(outputs)
    folder = tmp_path_factory.mktemp("c")
    names = [name for name in FUNCTIONS if name != "motion" or machine.model.motion is not None]
    if "16" in request.param:
        names = ["motion", "terms", "surface"]  # the other functions are long
    for name in names:
        (folder / f"{name}.c").write_text(machine.c_source(name))
    library = folder / "all.so"
    sources = [str(folder / f"{name}.c") for name in names]
    made = subprocess.run([COMPILER, *STRICT, "-o", library, *sources, "-lm"], capture_output=True, text=True)  # noqa: S603
    assert made.returncode == 0, made.stderr[:2000]
    return system, machine, ctypes.CDLL(str(library)), names


def called(library, name, size, t, *arrays):
    """Return the status and the results of the C function."""
    f = getattr(library, name)
    f.restype, f.argtypes = ctypes.c_longlong, [ctypes.c_double, *[ctypes.c_void_p] * 5]
    out = np.full(size + 1, math.pi)
    status = f(t, *(a.ctypes.data for a in arrays), out.ctypes.data)
    assert out[size] == math.pi  # nothing is written beyond the results
    return status, out[:size]


def states(system, machine, count=20):
    rng = np.random.default_rng(8)
    n = machine.model.n
    defaults = {p: float(value) for p, value in system.values.items()}
    for _ in range(count):
        parameters = np.array([defaults.get(p) or rng.uniform(0.5, 2) for p in system.parameters])
        yield (
            rng.uniform(0, 1),
            rng.uniform(0.2, 1.3, n),
            rng.uniform(-1, 1, n),
            parameters,
            rng.uniform(-1, 1, machine.model.inputs),
        )


def close(actual, expected, rtol):
    """Return True if all numbers are equal, or agree relative to the largest of their block."""
    scale = np.max(np.abs(expected), initial=0.0)
    return np.all((np.abs(actual - expected) <= rtol * np.maximum(np.abs(expected), scale)) | (actual == expected))


def test_c_and_machine_code_agree(compiled):
    system, machine, library, names = compiled
    for t, *arrays in states(system, machine):
        for name in names:
            function = machine.model.function(name)
            status, expected = function(t, *arrays)
            again, out = called(library, name, function.size, t, *arrays)
            assert again == status
            if status == 0:  # only trusted results are compared
                pairs = zip(function.parts(out), function.parts(expected), strict=True)
                rtol = 1e-12 if name != "motion" else 1e-10
                assert all(close(one, other, rtol) for one, other in pairs), name


def test_c_and_machine_code_give_nan_alike(compiled):
    """C gives NaN exactly where the machine code does."""
    system, machine, library, names = compiled
    (t, *arrays), *_ = states(system, machine, 1)
    for argument in range(2):
        broken = [a.copy() for a in arrays]
        broken[argument][0] = math.nan
        for name in names:
            function = machine.model.function(name)
            status, expected = function(t, *broken)
            again, out = called(library, name, function.size, t, *broken)
            assert again == status
            if status == 0:
                np.testing.assert_array_equal(np.isnan(out), np.isnan(expected))


def test_header_lists_inputs_and_outputs():
    text = lk.load(MODELS[0]).compile().c_source("terms")
    system = lk.load(MODELS[0])
    head = text.split("#include")[0]
    for symbol in (*system.coordinates, *system.parameters):
        assert str(symbol).removesuffix("(t)") in head
    n = len(system.coordinates)
    assert f"out[0..]: A {n} x {n}" in head and f"out[{n * n}..]: h {n}" in head


def test_python_functions_are_declared_for_the_user(tmp_path):
    """A Python function is declared in C and linked with a C function of the user."""
    u = lk.function("u", lambda a, b: 3 * a + b, 2)
    system = lk.System("driven", [x], kinetic=m * der(x) ** 2 / 2, forces={x: u(lk.t, x)})
    text = system.compile().c_source("motion")
    (declared,) = [line for line in text.splitlines() if line.startswith("extern double")]
    own = declared.removeprefix("extern ").replace("(double, double);", "(double a, double b) { return 3 * a + b; }")
    (tmp_path / "motion.c").write_text(text + own)
    command = [COMPILER, *STRICT, "-o", tmp_path / "m.so", tmp_path / "motion.c", "-lm"]
    made = subprocess.run(command, capture_output=True, text=True)  # noqa: S603
    assert made.returncode == 0, made.stderr
    arrays = [np.array([0.5]), np.zeros(1), np.array([2.0]), np.zeros(1)]
    status, (acceleration,) = called(ctypes.CDLL(str(tmp_path / "m.so")), "motion", 1, 4.0, *arrays)
    assert status == 0 and acceleration == (3 * 4 + 0.5) / 2


@pytest.mark.parametrize(
    ("system", "name"),
    [
        (lk.System("far", [x], kinetic=der(x) ** 2 / 2, potential=sp.Float("1e308") * x**2), "terms"),
        (lk.System("far", [x], kinetic=der(x) ** 2 / 2, potential=-sp.Float("1e308") * x**2), "terms"),
        (lk.System("no parameters", [x], kinetic=der(x) ** 2 / 2), "parameter_derivatives"),
        (lk.System("no outputs", [x], kinetic=der(x) ** 2 / 2), "outputs"),
    ],
    ids=["infinite", "minus infinite", "no parameters", "no outputs"],
)
def test_infinite_constants_and_empty_functions_compile(tmp_path, system, name):
    """An infinite constant (2e308) and functions without results compile."""
    machine = system.compile()
    (tmp_path / "f.c").write_text(machine.c_source(name))
    command = [COMPILER, *STRICT, "-o", tmp_path / "f.so", tmp_path / "f.c", "-lm"]
    made = subprocess.run(command, capture_output=True, text=True)  # noqa: S603
    assert made.returncode == 0, made.stderr
    function = machine.model.function(name)
    n, p, k = function.info.lengths
    arrays = [np.full(n, 0.5), np.zeros(n), np.zeros(p), np.zeros(k)]
    status, out = called(ctypes.CDLL(str(tmp_path / "f.so")), name, function.size, 0.0, *arrays)
    expected = function(0.0, *arrays)
    assert status == expected[0] == 0
    np.testing.assert_array_equal(out, expected[1])


def test_unavailable_functions_are_reported():
    system = lk.load(MODELS[0]).compile()
    with pytest.raises(UnknownName, match="terms"):
        system.c_source("term")
    massless = lk.System("massless", [x, y], kinetic=m * der(x) ** 2 / 2)
    with pytest.raises(LienketError, match="no elimination can be fixed in advance"):
        massless.compile().c_source("motion")
