"""The model of a command: read from its file, and what follows from its constraints and parameters alone."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ..errors import LienketError
from .failures import MODEL, print_stderr

if TYPE_CHECKING:
    from ..elimination.stage_table import Stages
    from ..system import System


def load_model(path: Path) -> Any:
    """Return the system in a model file; a trajectory file is refused."""
    from ..files import TRAJECTORY_SUFFIXES, load

    if path.suffix.lower() in TRAJECTORY_SUFFIXES:
        text = f"{path} has the name of a trajectory file; a model file (TOML) is expected"
        raise typer.BadParameter(text, param_hint="FILE")
    return load(path)


def contradictions(stages: Stages) -> list[str]:
    """Return the sentences on constraints that contradict others."""
    from ..elimination.verdict import CONTRADICTORY

    return [stage.verdict.sentence for stage in stages if stage.verdict.status == CONTRADICTORY]


def exit_if_contradictory(system: System, stages: Stages) -> None:
    """End the command with an error if constraints contradict each other."""
    sentences = contradictions(stages)
    if sentences:
        head = f"The constraints of {system.name!r} contradict each other:"
        print_stderr("\n".join([head, *(f"  {sentence}" for sentence in sentences)]))
        raise typer.Exit(MODEL)


def without_number(system: System, values: Collection[str] = ()) -> list[str]:
    """Return the parameters, by alias if the name is in LaTeX, with a number neither in the model nor in `values`."""
    from ..language.names import name_among

    names = system.symbol_names
    numbered = {name_among(name, names.parameters) for name in values} | names.numbered
    return [names.aliases.get(name, name) for name in names.parameters if name not in numbered]


def require_numbers(system: System, values: Collection[str]) -> None:
    """Raise an error that names all parameters without a number."""
    names = without_number(system, values)
    if names:
        verb = "has" if len(names) == 1 else "have"
        raise LienketError(f"{', '.join(names)} {verb} no number. {how_to_set(names)}")


def how_to_set(names: list[str]) -> str:
    """Return the advice on parameters without a number."""
    options = " ".join(f"--set {name}=NUMBER" for name in names)
    return f"Give it with {options}, or in [parameters] of the model file."
