"""The forms of the equations of motion: full, reduced, pseudovelocity, multipliers; a file for each.

equations(Chain, constraints, form, laws) -> Equations, which prints itself as LaTeX, plain text and MathML.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...errors import LienketError, did_you_mean
from ...model.constraint import Constraint
from ..chain import Chain
from ..verdict import CONTRADICTORY
from .equations import Equations
from .full import full
from .laws import Laws
from .multipliers import multipliers
from .pseudovelocity import pseudovelocity
from .reduced import reduced

FORMS: dict[str, Callable[..., Equations]] = {
    "full": full,
    "reduced": reduced,
    "pseudovelocity": pseudovelocity,
    "multipliers": multipliers,
}
SOMETIMES = ("multipliers", "programs")  # blocks that most systems do without


def equations(
    chain: Chain, constraints: tuple[Constraint, ...], form: str, laws: Laws, pseudovelocities: Any = None
) -> Equations:
    """The equations of motion in the named form; pseudovelocities only with the form of that name."""
    if form not in FORMS:
        nearest = did_you_mean(form, FORMS) if isinstance(form, str) else ""
        raise LienketError(f"There is no form {form!r} of the equations{nearest}. Forms: {', '.join(FORMS)}.")
    _check(chain, form)
    if form == "pseudovelocity":
        found = pseudovelocity(chain, constraints, laws, pseudovelocities)
    elif pseudovelocities is not None:
        raise LienketError(f"Pseudovelocities belong to equations('pseudovelocity'), not to {form!r}.")
    else:
        found = FORMS[form](chain, constraints, laws)
    return replace(found, blocks=tuple(block for block in found.blocks if block[1] or block[0] not in SOMETIMES))


def _check(chain: Chain, form: str) -> None:
    against = [stage.verdict.sentence for stage in chain.stages if stage.verdict.status == CONTRADICTORY]
    if against:
        raise LienketError("There is no motion: " + " ".join(against))
    programs = [row.name for row in chain.rows if row.drives]
    if programs and form != "multipliers":
        raise LienketError(
            f"{', '.join(map(repr, programs))} is a program: drives keep it, and D^T r = 0 does not hold for them. "
            "equations('multipliers') shows the drives in the equations."
        )
    implicit = [row.name for row in chain.rows if row.nonlinear]
    if implicit and form == "pseudovelocity":
        raise LienketError(
            f"{', '.join(map(repr, implicit))} is nonlinear in the accelerations, so these are no linear function of "
            "pseudoaccelerations. The other forms can be written."
        )


__all__ = ["FORMS", "Equations", "Laws", "equations"]
