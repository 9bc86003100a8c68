"""lienket demo: the slider-crank of paper 001 from the statement to the plots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..failures import writing_failures
from ..options import Debug
from ..outputs import check_writable, outputs
from ..screen import section
from .simulate import conclude, run

MODEL = "demo.toml"
START = {"phi": 0.5, "phi'": 2.0}
UNTIL = 1.0  # [s] end of the run, after three turns of the crank


def demo_system() -> Any:
    """Return the system of the demo; its model file is part of the package."""
    from importlib.resources import files

    from ...model.file import read_text
    from ...system import System

    text = files(__package__).joinpath(MODEL).read_text(encoding="utf-8")
    return System.from_statement(read_text(text, MODEL))


def demo(
    out: Annotated[str, typer.Option("--out", "-o", help="Folder of the results.")] = "lienket-demo",
    debug: Debug = False,
) -> None:
    """Analyse a slider-crank: verdicts, equations, simulation, audit, plots.

    The model file, the trajectory and the plots are written into a folder for inspection and modification.
    """
    destination = outputs(f"{out}/" if out.strip() else "", None)
    folder = Path(out)
    model = folder / "model.toml"
    check_writable(model, "-o")
    from ...files import save

    system = demo_system()
    typer.echo(repr(system))
    section("One constraint at a time", system.stages().text())
    section("Equations of motion, reduced form", system.equations("reduced").text())
    values = ", ".join(f"{name} = {value:g}" for name, value in START.items())
    section(f"Simulation from {values} to t = {UNTIL:g}", "")
    options: dict[str, Any] = {"values": {}, "start": START, "until": UNTIL}
    trajectory = run(system, options)
    folder.mkdir(parents=True, exist_ok=True)
    with writing_failures():
        save(system, model)
    conclude(trajectory, destination)
    start = " ".join(f'--start "{name}={value:g}"' for name, value in START.items())
    typer.echo(f"\nThe model file is {model}. Change it and run it again:")
    typer.echo(f"  lienket simulate {model} {start} --until {UNTIL:g} -o {folder}/")
