"""Forms of the equations of motion: full, reduced, pseudovelocity, multipliers; one file per form.

equations(Chain, constraints, form, laws) -> Equations, which can be printed as LaTeX, plain text and MathML.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ...errors import LienketError, did_you_mean
from ...model.constraint import Constraint
from ..chain import Chain
from ..verdict import CONTRADICTORY
from .equations import Equations, Pseudovelocities
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
OPTIONAL_BLOCKS = ("multipliers", "programs")  # left out when empty


def equations(
    chain: Chain,
    constraints: tuple[Constraint, ...],
    form: str,
    laws: Laws,
    pseudovelocities: Pseudovelocities | None = None,
) -> Equations:
    """Return the equations of motion in the named form; `pseudovelocities` apply to the form of that name only."""
    if form not in FORMS:
        nearest = did_you_mean(form, FORMS) if isinstance(form, str) else ""
        raise LienketError(f"There is no form {form!r} of the equations{nearest or '.'} Forms: {', '.join(FORMS)}.")
    _check(chain, form)
    if form == "pseudovelocity":
        result = pseudovelocity(chain, constraints, laws, pseudovelocities)
    elif pseudovelocities is not None:
        raise LienketError(f"Pseudovelocities belong to equations('pseudovelocity'), not to {form!r}.")
    else:
        result = FORMS[form](chain, constraints, laws)
    return replace(
        result, blocks=tuple(block for block in result.blocks if block[1] or block[0] not in OPTIONAL_BLOCKS)
    )


def _check(chain: Chain, form: str) -> None:
    """Raise an error if the chain has no motion or the form does not exist for its constraints."""
    contradictions = [stage.verdict.sentence for stage in chain.stages if stage.verdict.status == CONTRADICTORY]
    if contradictions:
        raise LienketError("There is no motion: " + " ".join(contradictions))
    programs = [row.name for row in chain.rows if row.drives]
    if programs and form != "multipliers":
        raise LienketError(
            f"{', '.join(map(repr, programs))} is a program: its drives do not satisfy D^T r = 0, on which this "
            "form is based. Use equations('multipliers'), which contains the drives."
        )
    implicit = [row.name for row in chain.rows if row.nonlinear]
    if implicit and form == "pseudovelocity":
        raise LienketError(
            f"{', '.join(map(repr, implicit))} is nonlinear in the accelerations, so the accelerations are not "
            "linear in pseudoaccelerations. Use one of the other forms."
        )


__all__ = ["FORMS", "Equations", "Laws", "equations"]
