"""lienket check: validate a model and the consistency of its constraints."""

from __future__ import annotations

import typer

from .failures import MODEL, print_stderr
from .options import Debug, ModelPath
from .screen import section


def check(file: ModelPath, debug: Debug = False) -> None:
    """Validate a model and its constraints.

    Prints a summary of the model and a verdict on each constraint. All faults of an invalid model are listed
    together. A redundant constraint is reported as a remark, a contradictory one as an error.
    """
    from ..elimination.verdict import CONTRADICTORY
    from ..files import load

    system = load(file)
    typer.echo(repr(system))
    stages = system.stages()
    verdicts = [stage.verdict for stage in stages]
    if verdicts:
        section("Constraints", "\n".join(verdict.sentence for verdict in verdicts))
    contradictions = [verdict.sentence for verdict in verdicts if verdict.status == CONTRADICTORY]
    if contradictions:
        lines = [
            f"The constraints of {system.name!r} contradict each other:",
            *(f"  {line}" for line in contradictions),
        ]
        print_stderr("\n".join(lines))
        raise typer.Exit(MODEL)
    unsatisfied = [stage.name for stage in stages if not stage.satisfied]
    if unsatisfied:
        typer.echo(f"  No state was found that satisfies {unsatisfied[0]!r} together with the constraints before it.")
    noun = "degree" if stages.freedom == 1 else "degrees"
    typer.echo(f"\nThe model is valid; it has {stages.freedom} {noun} of freedom.")
