"""lienket stages: the effect of each constraint."""

from __future__ import annotations

import typer

from ..model import exit_if_contradictory, load_model
from ..options import Debug, ModelPath


def stages(file: ModelPath, debug: Debug = False) -> None:
    """Add the constraints one at a time and show the effect of each.

    One row per constraint: its kind, the verdict on it, the remaining degrees of freedom, the constraints whose
    reactions it changes, and where this holds. Constraints that contradict each other are an error.
    """
    system = load_model(file)
    table = system.stages()
    typer.echo(table.text())
    exit_if_contradictory(system, table)
