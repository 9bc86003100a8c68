"""lienket stages: what each constraint did."""

from __future__ import annotations

import typer

from .options import Debug, ModelPath


def stages(file: ModelPath, debug: Debug = False) -> None:
    """Add the constraints one at a time and show what each of them did.

    One row per constraint: its kind, the verdict on it, the freedom it leaves, the constraints whose reactions it
    changes, and where all this holds.
    """
    from ..files import load

    typer.echo(load(file).stages().text())
