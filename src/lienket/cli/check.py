"""lienket check: is the model right, and do its constraints go together?"""

from __future__ import annotations

import typer

from .failures import MODEL, complain
from .options import Debug, ModelPath
from .screen import section


def check(file: ModelPath, debug: Debug = False) -> None:
    """Read a model and judge its constraints.

    Prints what the model states and a verdict on each constraint. All faults of a wrong model are listed together.
    A redundant constraint is a remark, a contradictory one is an error.
    """
    from ..elimination.verdict import CONTRADICTORY
    from ..files import load

    system = load(file)
    typer.echo(repr(system))
    stages = system.stages()
    verdicts = [stage.verdict for stage in stages]
    if verdicts:
        section("Constraints", "\n".join(verdict.sentence for verdict in verdicts))
    against = [verdict.sentence for verdict in verdicts if verdict.status == CONTRADICTORY]
    if against:
        complain("\n".join([f"There is no motion of {system.name!r}:", *(f"  {line}" for line in against)]))
        raise typer.Exit(MODEL)
    lost = [stage.name for stage in stages if not stage.satisfied]
    if lost:
        typer.echo(f"  No state was found that satisfies {lost[0]!r} together with the constraints before it.")
    plural = "freedom is" if stages.freedom == 1 else "freedoms are"
    typer.echo(f"\nThe model is right; {stages.freedom} {plural} left.")
