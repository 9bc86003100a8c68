"""lienket derive: the equations of motion as text and LaTeX."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ..failures import print_stderr
from ..model import load_model
from ..options import Debug, ModelPath
from ..outputs import check_writable


class Form(StrEnum):
    """Forms of the equations of motion."""

    full = "full"
    reduced = "reduced"
    pseudovelocity = "pseudovelocity"
    multipliers = "multipliers"


def derive(
    file: ModelPath,
    form: Annotated[Form, typer.Option(help="Form of the equations.")] = Form.reduced,
    latex: Annotated[
        Path | None,
        typer.Option(metavar="OUT", dir_okay=False, help="Also write the equations to this file as a LaTeX document."),
    ] = None,
    debug: Debug = False,
) -> None:
    """Derive the equations of motion.

    The equations are printed as text, one per line. The forms are full (A q'' = h + r, with D^T r = 0), reduced
    (C q'' = f), pseudovelocity (in the independent velocities) and multipliers (A q'' = h + G^T lambda), each with the
    constraints.
    """
    if latex is not None:
        if not latex.parent.exists():
            raise typer.BadParameter(f"the folder {latex.parent} does not exist", param_hint="--latex")
        check_writable(latex, "--latex")
    from ...foundation.atomic_file import write_whole
    from ..latex_document import latex_document

    system = load_model(file)
    equations = system.equations(form.value)
    typer.echo(equations.text())
    if latex is not None:
        write_whole(latex, latex_document(system.name, equations))
        print_stderr(f"The LaTeX document was written to {latex}")
