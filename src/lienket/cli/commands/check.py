"""lienket check: validate a model, the consistency of its constraints, and its numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import typer

from ...errors import StartError
from ..failures import NUMERICAL, print_stderr
from ..model import exit_if_contradictory, how_to_set, load_model, without_number
from ..options import Debug, ModelPath
from ..screen import section
from ..texts.wording import told

if TYPE_CHECKING:
    from ..elimination.stage_table import Stages
    from ..system import System


NO_STATE = "Check the numbers of the parameters and the equations of these constraints."


def check(file: ModelPath, debug: Debug = False) -> None:
    """Validate a model, its constraints and its numbers.

    Prints a summary of the model and a verdict on each constraint. All faults of an invalid model are listed
    together. A redundant constraint and a parameter without a number are reported as remarks; a contradictory
    constraint is an error, and so are constraints that no state satisfies with the numbers of the model.
    """
    system = load_model(file)
    typer.echo(repr(system))
    stages = system.stages()
    if len(stages):
        section("Constraints", "\n".join(stage.verdict.sentence for stage in stages))
    exit_if_contradictory(system, stages)
    missing = without_number(system)
    if missing:
        section("Parameters without a number", f"{', '.join(missing)}\n{how_to_set(missing)}")
    remark = _unsatisfied(stages) if missing else _search_for_state(system)
    if remark:
        typer.echo(f"\n{remark}")
    typer.echo(f"\nThe model is valid; it has {_freedom(system, stages)}.")


def _search_for_state(system: System) -> str:
    """Return a remark if the search for a state on the constraints cannot begin at zero; exit if there is none."""
    try:
        system.consistent(others=False)
    except StartError as error:
        if all(map(math.isfinite, error.residuals.values())) and error.residuals:
            print_stderr(f"{error.message} {NO_STATE}")
            raise typer.Exit(NUMERICAL) from None
        return told(error)
    return ""


def _unsatisfied(stages: Stages) -> str:
    """Return a remark on the first constraint that no state with any parameters was found to satisfy."""
    names = [stage.name for stage in stages if not stage.satisfied]
    return f"No state was found that satisfies {names[0]!r} together with the constraints before it." if names else ""


def _freedom(system: System, stages: Stages) -> str:
    """Return the number of degrees of freedom in words."""
    from ...model.contact import contacts

    noun = "degree" if stages.freedom == 1 else "degrees"
    unilateral = any(contact.unilateral for contact in contacts(system.constraints))
    return f"{stages.freedom} {noun} of freedom{' while all its contacts are closed' if unilateral else ''}"
