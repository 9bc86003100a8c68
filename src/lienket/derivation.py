"""The theory on paper as one list of calls: what is stated becomes matrices, stages, equations and reactions.

    statement.free         ->  free_system.derive     ->  A q'' = h
    statement.constraints  ->  constraints.lower      ->  G q'' + g0 = 0
    one after another      ->  elimination.add        ->  stages: D, C, f, verdicts
    the last stage         ->  reactions              ->  the reaction of each constraint, influence

Results are kept by what they follow from: a statement that says the same is never derived twice, in
however many systems, stages or values it appears.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from .constraints import ConstraintRows, lower
from .elimination.chain import Chain, add, start
from .elimination.forms import Equations, equations
from .elimination.forms.equations import new_symbols
from .elimination.null_space_step import COLUMNS
from .elimination.singular_condition import condition
from .elimination.verdict import Verdict
from .errors import LienketError, UnknownName
from .free_system import FreeSystem, derive
from .language.names import key_name
from .model.constraint import Constraint
from .model.input.outputs import MULTIPLIER_LETTERS
from .model.statement import FreeStatement, Statement
from .reactions.influence import influence, influence_table
from .reactions.laws.in_equations import laws_in_equations
from .reactions.methods import accelerations
from .reactions.reaction_problem import reaction_problem
from .reactions.reactions import Reactions, reactions

KEPT = 128  # different results of each kind kept at a time
DEEP = 100  # constraints stepped through in one recursion


@lru_cache(maxsize=KEPT)
def free_system(statement: FreeStatement) -> FreeSystem:
    """A q'' = h of the system without its constraints."""
    return derive(statement)


@lru_cache(maxsize=8 * KEPT)
def rows(statement: FreeStatement, constraint: Constraint) -> ConstraintRows:
    """One constraint as G q'' + g0 = 0."""
    # A fork, since other systems on the same free system may have another symbol of the same name.
    return lower(constraint, free_system(statement).engine.fork())


@lru_cache(maxsize=8 * KEPT)
def chain(
    statement: FreeStatement,
    constraints: tuple[Constraint, ...],
    independent: frozenset[int] = frozenset(),
    choice: str = "pivot",
) -> Chain:
    """The stages of the constraints: the stages of all but the last, and one step more."""
    free = free_system(statement)
    if not constraints:
        return start(free.engine, free.kinetic.A, free.inside_h, independent, choice)
    for known in range(DEEP, len(constraints), DEEP):  # in portions, for the sake of Python's stack
        chain(statement, constraints[:known], independent, choice)
    before = chain(statement, constraints[:-1], independent, choice)
    return add(before, rows(statement, constraints[-1]))


def independent_places(statement: Statement, independent: Iterable[Any] | None, choice: str) -> frozenset[int]:
    """The places of the coordinates that are to stay independent."""
    if choice not in COLUMNS:
        raise LienketError(f"H is chosen by 'pivot' or 'orthogonal', not by {choice!r}.")
    if independent is None:
        return frozenset()
    if choice != "pivot":
        raise LienketError("Independent coordinates can be named with choice='pivot' only.")
    given = [independent] if isinstance(independent, str) or not isinstance(independent, Iterable) else independent
    names = statement.names
    found = set()
    for key in given:
        name = key_name(key)
        if name not in names:
            raise UnknownName("coordinate", name, names)
        found.add(names.index(name))
    return frozenset(found)


def equations_of(
    statement: Statement, form: str, pseudovelocities: Any, independent: frozenset[int], choice: str
) -> Equations:
    """The equations of motion in one of their forms."""
    last, names = (
        chain(statement.free, statement.constraints, independent, choice),
        {p.name for p in statement.parameters},
    )
    count = sum(len(row) for row in last.rows if not row.drives)
    multipliers = new_symbols(last, MULTIPLIER_LETTERS, [str(k) for k in range(1, count + 1)], names)
    laws = laws_in_equations(statement.constraints, statement.coordinates, multipliers, names)
    return equations(last, statement.constraints, form, laws, pseudovelocities)


@lru_cache(maxsize=KEPT)
def explicit_accelerations(statement: FreeStatement, constraints: tuple[Constraint, ...]) -> tuple[Any, ...]:
    """The accelerations as formulas."""
    given = reaction_problem(chain(statement, constraints))
    return tuple(given.chain.engine.column(accelerations(given)))


@lru_cache(maxsize=KEPT)
def influence_of(statement: FreeStatement, constraints: tuple[Constraint, ...], of: str | None, on: str | None) -> Any:
    """What a constraint does to the reaction of another, or the table of all pairs."""
    given = reaction_problem(chain(statement, constraints))
    if of is None and on is None:
        return influence_table(given)
    if of is None or on is None:
        raise LienketError("Name two constraints, of=... and on=..., or none for the whole table.")
    return influence(given, of, on)


@lru_cache(maxsize=KEPT)
def reactions_of(statement: FreeStatement, constraints: tuple[Constraint, ...], method: str) -> Reactions:
    """The reaction of every constraint as formulas."""
    return reactions(chain(statement, constraints), method)


def verdict_everywhere(statement: Statement, t: float, q: Any, v: Any, parameters: Any, here: Verdict) -> Verdict:
    """A verdict at a state with whether it holds always, or only in this configuration and under which condition."""
    place = [c.name for c in statement.constraints].index(here.name)
    try:
        stage = chain(statement.free, statement.constraints[: place + 1]).stages[-1]
    except LienketError:
        return here  # what cannot be told in general can be told here
    if stage.verdict.status == here.status and stage.verdict.rows == here.rows:
        return replace(stage.verdict, always=True)
    engine = stage.engine
    symbols = [engine.t, *engine.q, *engine.v, *map(engine.inward, statement.parameters)]
    values = dict(zip(map(engine.outward, symbols), [t, *q, *v, *parameters], strict=True))
    return replace(here, always=False, condition=condition(stage, here.rows, values))
