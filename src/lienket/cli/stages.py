"""lienket stages: the effect of each constraint."""

from __future__ import annotations

import typer

from .options import Debug, ModelPath


def stages(file: ModelPath, debug: Debug = False) -> None:
    """Add the constraints one at a time and show the effect of each.

    One row per constraint: its kind, the verdict on it, the remaining degrees of freedom, the constraints whose
    reactions it changes, and where this holds.
    """
    from ..files import load

    typer.echo(load(file).stages().text())
