"""Recipes of CONTRIBUTING.md, carried out in a copy of the sources with only the files that they name."""

import json
import math

import numpy as np
import pytest
from recipe_tree import ROOT, Tree, recipes
from scipy.special import ellipj, ellipk

MODEL = """
lienket = 1
name = "block"
coordinates = ["x", "y"]
kinetic = "m*(der(x)^2 + der(y)^2)/2"
potential = "m*g*y"
[parameters]
m = 2
g = 10
[[constraints]]
name = "floor"
equation = "y"
"""


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def assert_only_named_files_changed(tree, title, name):
    """Assert that a recipe with the name for X lists every file that differs from the original."""
    named = [path.replace("X", name) for path in recipes()[title]]
    folders = tuple(path for path in named if path.endswith("/"))
    beyond = {path for path in tree.changed() if path not in named and not path.startswith(folders)}
    assert beyond == set(), f"the recipe {title!r} does not name them"
    assert tree.changed() != set()


@pytest.mark.parametrize("title", recipes())
def test_the_files_of_a_recipe_exist(title):
    named = recipes()[title]
    assert named
    assert [path for path in named if "X" not in path and not (ROOT / path).exists()] == []
    assert [path for path in named if not (ROOT / path).parent.is_dir()] == []


# A law: the coefficient falls linearly with the speed, mu - loss |slip|, and is never negative.

FADING = '''"""Fading: dry friction whose coefficient falls linearly with the sliding speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import sympy as sp

from .fields import PARAMETERS_ONLY, expression
from .friction import Friction


@dataclass(frozen=True)
class Fading(Friction):
    """Dry friction with the coefficient max(0, mu - loss |slip|)."""

    kind: ClassVar[str] = "fading"
    about: ClassVar[str] = "Dry friction whose coefficient falls linearly with the sliding speed."

    mu: Any = expression("The coefficient at rest.")
    loss: Any = expression("The part of the coefficient lost per unit of speed.", order=PARAMETERS_ONLY)

    def coefficient(self, speed: Any) -> Any:
        """Return the coefficient at a sliding speed."""
        return sp.Max(0, self.mu - self.loss * speed)
'''

SLIDING = """
import json, sys
import lienket as lk
x, y = lk.coordinates("x y")
block = lk.System("block", [x, y], kinetic=lk.der(x)**2 + lk.der(y)**2, potential=20*y)
stated = block.constrain("floor", y, law=lk.laws.Fading(0.5, 0.2, slip=lk.der(x)))
read = lk.load("block.toml")
lk.save(stated, "saved.toml")
runs = [(s, s.simulate(start={"x": 0, "x'": 1.5}, until=1.5)) for s in (stated, read, lk.load("saved.toml"))]
fast = stated.simulate(start={"x": 0, "x'": 4.0}, until=1)
print(json.dumps({
    "accelerations": [s.at([0, 0], [1.5, 0]).accelerations[0] for s, _ in runs],
    "stops": [m.events["floor stops"][0] for _, m in runs],
    "distances": [m["x"][-1] for _, m in runs],
    "fast": fast["x"][-1],
}))
"""


def add_law(tree):
    laws = "src/lienket/model/laws/"
    tree.write(laws + "fading.py", FADING)
    tree.insert(laws + "__init__.py", "from .exerted import", "from .fading import Fading")
    tree.replace(laws + "__init__.py", "Exerted, Unilateral)", "Exerted, Unilateral, Fading)")
    tree.insert(laws + "__init__.py", '    "Exerted",', '    "Fading",')
    row = "| `lk.laws.Fading(mu, loss, slip=...)` | friction whose coefficient falls with the speed |"
    tree.insert("docs/friction.md", "| `lk.laws.Unilateral(", row)
    tree.insert("docs/model-files.md", '| `"unilateral"` |', '| `"fading"` | `mu`, `loss` and `slip` |')
    (tree.folder / "docs/model.schema.json").write_text(tree.run("-m", "lienket.model.file"))


def test_a_law_of_friction(tree):
    add_law(tree)
    assert_only_named_files_changed(tree, "To add a law of friction", "fading")
    assert '"fading"' in (tree.folder / "docs/model.schema.json").read_text()

    law = 'law = {kind = "fading", mu = 0.5, loss = 0.2, slip = "der(x)"}\n'
    (tree.folder / "block.toml").write_text(MODEL + law)
    found = json.loads(tree.run("-c", SLIDING))
    # v' = -g (mu - loss v) while v < a = mu/loss: v = a - (a - v0) exp(g loss t)
    g, mu, loss, v0 = 10, 0.5, 0.2, 1.5
    a, rate = mu / loss, loss * g
    stop = math.log(a / (a - v0)) / rate
    np.testing.assert_allclose(found["accelerations"], -g * (mu - loss * v0), rtol=1e-12)
    np.testing.assert_allclose(found["stops"], stop, rtol=1e-7)
    np.testing.assert_allclose(found["distances"], a * stop - v0 / rate, rtol=1e-7)
    assert found["fast"] == pytest.approx(4.0, rel=1e-12)  # without friction above the speed a


# An integrator: the classical method of order 4 with fixed steps, projected onto the constraints.

RK4_SCRATCH = '''"""Scratch memory of the classical Runge-Kutta method."""

from __future__ import annotations

from typing import Any, NamedTuple


class Rk4Scratch(NamedTuple):
    """Blocks of the scratch memory; m = 2 n + 1."""

    stage: Any  # (m) state of a stage
    rates: Any  # (m) its rates


def rk4_scratch(n: Any, s: Any) -> Any:
    """Return the shapes of the blocks of `Rk4Scratch`."""
    m = 2 * n + 1
    return Rk4Scratch(stage=(m,), rates=(m,))
'''

RK4 = '''"""Classical Runge-Kutta method of order 4 with fixed steps, projected (Hairer, Norsett and Wanner I, II.1)."""

from __future__ import annotations

from typing import Any

from ....kernels.native.runtime.blocks import views
from ....kernels.native.runtime.jit import kernel
from ...memory import control, rejections, states
from ...stepping.native.accept_state import energy
from ...stepping.native.projecting import project
from ...stepping.native.method import method_with
from ...stepping.native.rates import rates
from ...stepping.native.run_view import state
from .rattle.rattle import dense, interpolate
from .scratch.rk4 import rk4_scratch

STEPS = 1000.0  # [steps] of a run without a prescribed step size

kernel(rk4_scratch)  # a Python function that kernels call too


@kernel
def scratch_of(run: Any) -> Any:
    """Return the blocks of the scratch memory, see `Rk4Scratch`."""
    return views(run.scratch, 0, rk4_scratch(run.n, run.s))


@kernel
def attempt(run: Any, t: Any, h: Any) -> Any:
    """Fill the tried state at t + h; return 0, or -1 if a stage has no rates."""
    y, k1, sum_ = state(run, states.NOW), state(run, states.RATE), state(run, states.TRIED)
    x, k = scratch_of(run).stage, scratch_of(run).rates
    run.control[control.STEP_FACTOR] = 1.0
    for i in range(y.size):
        k[i] = k1[i]
        sum_[i] = y[i] + h / 6 * k1[i]
    for stage in range(1, 4):
        fraction = 1.0 if stage == 3 else 0.5
        weight = 1.0 / 6 if stage == 3 else 1.0 / 3
        for i in range(y.size):
            x[i] = y[i] + fraction * h * k[i]
        if not rates(run, t + fraction * h, x, k):
            return -1.0
        for i in range(y.size):
            sum_[i] += weight * h * k[i]
    return 0.0


@kernel
def begin(run: Any) -> None:
    """Choose the step size unless it is prescribed."""
    if run.control[control.FIXED_STEP] <= 0:
        run.control[control.FIXED_STEP] = (run.control[control.END] - run.control[control.T]) / STEPS
    run.control[control.TIME_CARRY] = 0.0


@kernel
def accept(run: Any, t: Any, h: Any) -> Any:
    """Project the tried state, fill its rates and energy; return 0 or the reason to reject it."""
    tried = state(run, states.TRIED)
    if not project(run, t + h, tried):
        return rejections.OFF_CONSTRAINTS
    if not rates(run, t + h, tried, state(run, states.RATE_TRIED)):
        return rejections.NO_ACCELERATION
    run.control[control.ENERGY_TRIED], run.control[control.ENERGY_RATIO] = energy(run, t + h, tried)[0], 0.0
    return 0


method = method_with(attempt, dense, interpolate, begin=begin, accept=accept)
'''

RK4_ROW = '        Method("rk4", NATIVE + "rk4", 4, scratch_in("rk4"), "classical, fixed steps", fixed=True),'

SWINGING = """
import json
import numpy as np
import lienket as lk
x, y = lk.coordinates("x y")
free = lk.System("pendulum", [x, y], kinetic=lk.der(x)**2/2 + lk.der(y)**2/2, potential=10*y)
pendulum = free.constrain("rod", x**2 + y**2 - 1)
times = np.linspace(0, 2, 6)
start = {"x": np.sin(1.0), "y": -np.cos(1.0), "x'": 0, "y'": 0}
runs = [pendulum.simulate(start=start, times=times, method="rk4", step=0.02/2**k) for k in range(3)]
chosen = pendulum.simulate(start=start, until=1, method="rk4")
between = runs[2].at(1.003)
print(json.dumps({
    "x": [run["x"].tolist() for run in runs],
    "rod": [(2*abs(run.multipliers[:, 0])).tolist() for run in runs],
    "outcome": str(chosen.outcome), "rows": len(chosen),
    "between": float(between.q[0]),
}))
"""


def pendulum(t):
    """Return x and the force in the rod of a pendulum with length and mass 1, g = 10, released at rest at 1 rad."""
    # theta = 2 asin(k sn(K - w t, k^2)), k = sin(1/2): the closed solution of theta'' = -w^2 sin(theta)
    k = math.sin(0.5)
    sn = ellipj(ellipk(k**2) - math.sqrt(10) * np.asarray(t), k**2)[0]
    theta = 2 * np.arcsin(k * sn)
    return np.sin(theta), 10 * (3 * np.cos(theta) - 2 * math.cos(1.0))


def add_integrator(tree):
    integrators = "src/lienket/simulation/integrators/native/"
    tree.write(integrators + "rk4.py", RK4)
    tree.write(integrators + "scratch/rk4.py", RK4_SCRATCH)
    tree.insert("src/lienket/simulation/methods.py", "    for method in (", RK4_ROW)
    row = '| `"rk4"` | classical Runge-Kutta method of order 4, fixed `step` | teaching |'
    tree.insert("docs/simulation.md", '| `"auto"` |', row)


def test_an_integrator(tree):
    add_integrator(tree)
    assert_only_named_files_changed(tree, "To add an integrator", "rk4")

    found = json.loads(tree.run("-c", SWINGING))
    exact = pendulum(np.linspace(0, 2, 6))
    for name, closed in zip(("x", "rod"), exact, strict=True):
        errors = [np.abs(np.array(numbers) - closed).max() for numbers in found[name]]
        slopes = np.log2(np.array(errors[:-1]) / errors[1:])
        assert np.all(np.abs(slopes - 4) < 0.3), (name, errors)
    assert found["between"] == pytest.approx(pendulum(1.003)[0], abs=1e-6)
    assert found["rows"] == 1001
    assert "rk4" in found["outcome"]

    assert "<auto|rk4|" in tree.run("-m", "lienket", "simulate", "--help")
    (tree.folder / "block.toml").write_text(MODEL)
    printed = tree.run("-m", "lienket", "simulate", "block.toml", "--method", "rk4", "--step", "0.1", "--until", "1")
    assert "by rk4 in 10 steps" in printed


# A plot: velocities over positions.

PHASE = '''"""Phase portrait: velocities over positions."""

from __future__ import annotations

from typing import Any

from ..style import NOT_OVER_TIME, add_legend, draw, line_styles, prepare
from .panel import Panel

HEIGHT = 3.5  # [inch] height of the panel


def draw_phase(figure: Any, curves: Any, trajectory: Any) -> None:
    """Draw the velocity of each coordinate over its position."""
    axes = figure.subplots()
    axes.set_label(NOT_OVER_TIME)
    prepare(axes, "phase portrait", "q'", "q")
    names = trajectory.coordinate_names
    lines = [
        draw(axes, trajectory.q[:, i], trajectory.v[:, i], style) for i, style in enumerate(line_styles(len(names)))
    ]
    add_legend(axes, lines, names)


PHASE = Panel("phase portrait", draw_phase, lambda curves: HEIGHT, lambda trajectory: "")
'''

DRAWING = """
import json
import lienket as lk
x = lk.coordinates("x")
mass = lk.System("mass", [x], kinetic=lk.der(x)**2/2, potential=2*x**2)
motion = mass.watch(lk.Event("middle", when=x)).simulate(start={"x": 1}, until=20)
(axes,) = motion.plot("phase").axes
(curve,) = axes.get_lines()
try:
    motion.plot("phases")
except lk.LienketError as error:
    message = str(error)
print(json.dumps({
    "x": list(curve.get_xdata()), "v": list(curve.get_ydata()), "limits": axes.get_xlim(), "message": message,
    "same": bool((curve.get_xdata() == motion["x"]).all()),
    "titles": [axes.get_title(loc="left") for axes in motion.plot().axes],
}))
"""


def add_plot(tree):
    tree.write("src/lienket/plots/panels/phase.py", PHASE)
    tree.insert("src/lienket/plots/kinds.py", "from .panels.panel import", "from .panels.phase import PHASE")
    tree.insert("src/lienket/plots/kinds.py", '    "motion": MOTION,', '    "phase": PHASE,')
    tree.insert("docs/simulation.md", '| `"motion"` |', '| `"phase"` | velocities over positions |')


def test_a_plot(tree):
    add_plot(tree)
    assert_only_named_files_changed(tree, "To add a plot", "phase")

    found = json.loads(tree.run("-c", DRAWING))
    x, v = np.array(found["x"]), np.array(found["v"])
    assert found["same"]
    np.testing.assert_allclose(x**2 + (v / 2) ** 2, 1, atol=1e-6)  # x = cos(2 t)
    assert found["limits"][1] < 1.5  # of the positions, not of the time
    assert "motion, phase, reactions" in found["message"]
    assert "phase portrait" in found["titles"]


# A command: the energy at the start.

ENERGY = '''"""lienket energy: the energy of a model at its start."""

from __future__ import annotations

import typer

from ..model import load_model, require_numbers
from ..numbers import pairs
from ..options import Debug, ModelPath
from ..run_options import Start

MOMENT = 1e-3  # [s] end of the run whose first row is the start


def energy(file: ModelPath, start: Start = [], debug: Debug = False) -> None:  # noqa: B006
    """Print the energy at the start."""
    system = load_model(file)
    require_numbers(system, ())
    motion = system.simulate(start=pairs(start, "--start"), until=MOMENT, progress=False)
    typer.echo(f"{motion.energy.total[0]:.9g}")
'''


def add_command(tree):
    tree.write("src/lienket/cli/commands/energy.py", ENERGY)
    tree.insert("src/lienket/cli/program.py", "from .commands.derive import", "from .commands.energy import energy")
    line = 'app.command(**epilog("lienket energy model.toml", "lienket energy model.toml --start x=1"))(energy)'
    tree.insert("src/lienket/cli/program.py", 'app.command(**epilog("lienket stages', line)
    tree.insert("docs/command-line.md", "| `stages FILE` |", "| `energy FILE` | prints the energy at the start |")


def test_a_command(tree):
    add_command(tree)
    assert_only_named_files_changed(tree, "To add a command", "energy")

    (tree.folder / "block.toml").write_text(MODEL)
    (tree.folder / "wrong.toml").write_text(MODEL.replace("m*g*y", "m*g*z"))
    printed = tree.run("-m", "lienket", "energy", "block.toml", "--start", "x'=3")
    assert float(printed) == pytest.approx(9.0, rel=1e-9)  # m v^2/2 on the floor
    text = tree.run("-m", "lienket", "energy", "--help")
    assert "Print the energy at the start." in text
    assert "lienket energy model.toml --start x=1" in text
    assert "energy" in tree.run("-m", "lienket", "--help")
    for arguments, code, message in (
        (("wrong.toml",), 1, "z"),
        (("nothing.toml",), 2, "nothing.toml"),
        (("block.toml", "--start", "u=1"), 1, "u"),
    ):
        told = tree.run("-m", "lienket", "energy", *arguments, code=code)
        assert message in told
        assert "Traceback" not in told


@pytest.mark.slow
def test_what_the_recipes_make_keeps_the_rules(tree):
    """Architecture, docstrings, sizes of folders, and tables of documents, with all four recipes in one copy."""
    for add in (add_law, add_integrator, add_plot, add_command):
        add(tree)
    tree.check_rules()
