"""Runs of systems with contacts that can be differentiated: every contact stays in one mode, closed or open.

In one mode the motion is that of the constraints that act, and depends smoothly on parameters and start values. Where a
contact closes, opens, slips or stops it has jumps, whose times depend on them too; such runs are refused by the name of
the contact. A start does not follow a contact: what moves it off one that is closed is refused as well.
"""

from __future__ import annotations

import numpy as np

from ...errors import LienketError
from ...foundation.frozen_dataclass import replace
from ...simulation.problem import Problem
from ...simulation.run.result import Run
from .request import MULTIPLIER
from .start_derivatives import StartVariation

CONTACT_DEPARTURE = 1e-9  # [1] residual of a closed contact by a change of the start, relative to its terms
OPEN = -1  # index of a multiplier that is zero throughout, since its contact is open


def in_one_mode(run: Run) -> Run:
    """Return the run with the problem of the constraints that act all the time; LienketError where they change."""
    history = run.history
    if history is None:
        return run
    if history.happened:
        event, t = history.happened[0]
        raise LienketError(
            f"The run is not differentiated, since {event!r} at t = {t:.9g}: there the motion jumps, and when depends "
            "on the values too. End the run before that, or release the contact."
        )
    return replace(run, problem=history.problem(0), history=None)


def multiplier_rows(
    names: tuple[str, ...], quantities: list[tuple[int, int]], problem: Problem
) -> list[tuple[int, int]]:
    """Return the quantities (kind, index) with the rows that the multipliers "rod[0]" have among those that act."""
    rows = []
    for label, (kind, index) in zip(names, quantities, strict=True):
        if kind == MULTIPLIER:
            name, _, number = label[:-1].rpartition("[")
            of_constraint = problem.model.rows.get(name)
            index = OPEN if of_constraint is None else of_constraint.start + int(number)
        rows.append((kind, index))
    return rows


def check_closed_contacts(begin: StartVariation, problem: Problem) -> None:
    """Raise LienketError if a column of the start moves it off a contact that is closed there."""
    t, q, v = begin.state
    inputs = np.zeros(problem.model.inputs)
    functions = [problem.model.function(name) for name in ("surface", "surface_derivatives")]
    (_, G, *_), (_, g_p, g1_q, _, g1_p) = (f.parts(f(t, q, v, problem.parameters, inputs)[1]) for f in functions)
    for level, terms in (
        (0, ((G, begin.dq), (g_p, begin.dp))),
        (1, ((G, begin.dv), (g1_q, begin.dq), (g1_p, begin.dp))),
    ):
        residual = sum(M @ d for M, d in terms)
        sizes = sum(np.abs(M) @ np.abs(d) for M, d in terms)
        off = (np.abs(residual) > CONTACT_DEPARTURE * sizes) & (problem.level <= level)[:, None]
        for row, column in np.argwhere(off):
            name, contact = begin.by.names[column], problem.model.owners[row]
            raise LienketError(
                f"There is no derivative by {name}: the contact {contact!r} is closed at the start, and a change of "
                f"{name} opens it or lets it penetrate. Release the contact, or begin apart from it."
            )
