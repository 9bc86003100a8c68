"""Derivation of formulas as one list of calls: from a statement to matrices, stages, equations and reactions.

    statement.free         ->  free_system.derive     ->  A q'' = h
    statement.constraints  ->  constraints.lower      ->  G q'' + g0 = 0
    each row in turn       ->  elimination.chain.add  ->  stages: D, C, f, verdicts
    the last stage         ->  reactions              ->  the reaction of each constraint, influence

Results are cached by statement: equal statements are derived once, in however many systems, stages or values they
appear.
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
from .language.names import name_among
from .model.constraint import Constraint
from .model.input.outputs import MULTIPLIER_LETTERS
from .model.statement import FreeStatement, Statement
from .reactions.influence import influence, influence_table
from .reactions.laws.in_equations import laws_in_equations
from .reactions.methods import accelerations
from .reactions.reaction_problem import reaction_problem
from .reactions.reactions import Reactions, reactions

RESULTS_CACHED = 128  # [results] cached formulas of each kind
STAGES_CACHED = 8 * RESULTS_CACHED  # [results] cached constraint rows and chains of stages
RECURSION_LIMIT = 100  # [constraints] eliminated in one recursion, to stay within Python's stack


@lru_cache(maxsize=RESULTS_CACHED)
def free_system(statement: FreeStatement) -> FreeSystem:
    """Return A q'' = h of the system without its constraints."""
    return derive(statement)


@lru_cache(maxsize=STAGES_CACHED)
def rows(statement: FreeStatement, constraint: Constraint) -> ConstraintRows:
    """Return the rows G q'' + g0 = 0 of one constraint."""
    # A fork: other systems on this free system may use the name of a symbol for a different one.
    return lower(constraint, free_system(statement).engine.fork())


@lru_cache(maxsize=STAGES_CACHED)
def chain(
    statement: FreeStatement,
    constraints: tuple[Constraint, ...],
    independent: frozenset[int] = frozenset(),
    choice: str = "pivot",
) -> Chain:
    """Return the chain of stages of the constraints: the chain of all but the last, extended by the last."""
    free = free_system(statement)
    if not constraints:
        return start(free.engine, free.kinetic.A, free.inside_h, independent, choice)
    for count in range(RECURSION_LIMIT, len(constraints), RECURSION_LIMIT):
        chain(statement, constraints[:count], independent, choice)  # cached, so that the recursion below stays short
    before = chain(statement, constraints[:-1], independent, choice)
    return add(before, rows(statement, constraints[-1]))


def independent_indices(statement: Statement, independent: Iterable[Any] | None, choice: str) -> frozenset[int]:
    """Return the indices of the coordinates that must stay independent."""
    if choice not in COLUMNS:
        raise LienketError(f"choice must be 'pivot' or 'orthogonal', not {choice!r}.")
    if independent is None:
        return frozenset()
    if choice != "pivot":
        raise LienketError("independent=... can be used with choice='pivot' only.")
    keys = [independent] if isinstance(independent, str) or not isinstance(independent, Iterable) else independent
    names = statement.names
    indices = set()
    for key in keys:
        name = name_among(key, names)
        if name not in names:
            raise UnknownName("coordinate", name, names)
        indices.add(names.index(name))
    return frozenset(indices)


def equations_of(
    statement: Statement, form: str, pseudovelocities: Any, independent: frozenset[int], choice: str
) -> Equations:
    """Return the equations of motion in one of their forms."""
    last, names = (
        chain(statement.free, statement.constraints, independent, choice),
        {p.name for p in statement.parameters} | set(statement.aliases.values()),
    )
    count = sum(len(row) for row in last.rows if not row.drives)
    multipliers = new_symbols(last, MULTIPLIER_LETTERS, [str(k) for k in range(1, count + 1)], names)
    laws = laws_in_equations(statement.constraints, statement.coordinates, multipliers, names)
    return equations(last, statement.constraints, form, laws, pseudovelocities)


@lru_cache(maxsize=RESULTS_CACHED)
def explicit_accelerations(statement: FreeStatement, constraints: tuple[Constraint, ...]) -> tuple[Any, ...]:
    """Return the accelerations q'' as formulas, n entries."""
    problem = reaction_problem(chain(statement, constraints))
    return tuple(problem.chain.engine.column(accelerations(problem)))


@lru_cache(maxsize=RESULTS_CACHED)
def influence_of(statement: FreeStatement, constraints: tuple[Constraint, ...], of: str | None, on: str | None) -> Any:
    """Return the influence of constraint `of` on the reaction of `on`, or the table of all pairs."""
    problem = reaction_problem(chain(statement, constraints))
    if of is None and on is None:
        return influence_table(problem)
    if of is None or on is None:
        raise LienketError("Name two constraints, of=... and on=..., or neither for the whole table.")
    return influence(problem, of, on)


@lru_cache(maxsize=RESULTS_CACHED)
def reactions_of(statement: FreeStatement, constraints: tuple[Constraint, ...], method: str) -> Reactions:
    """Return the reaction of every constraint as formulas."""
    return reactions(chain(statement, constraints), method)


def verdict_everywhere(statement: Statement, t: float, q: Any, v: Any, parameters: Any, at_state: Verdict) -> Verdict:
    """Return the verdict at a state, completed: it holds always, or in this configuration only, under a condition."""
    index = [c.name for c in statement.constraints].index(at_state.name)
    try:
        stage = chain(statement.free, statement.constraints[: index + 1]).stages[-1]
    except LienketError:
        return at_state  # no formulas; the verdict at the state stands
    if stage.verdict.status == at_state.status and stage.verdict.rows == at_state.rows:
        return replace(stage.verdict, always=True)
    engine = stage.engine
    symbols = [engine.t, *engine.q, *engine.v, *map(engine.inward, statement.parameters)]
    values = dict(zip(map(engine.outward, symbols), [t, *q, *v, *parameters], strict=True))
    return replace(at_state, always=False, condition=condition(stage, at_state.rows, values))
