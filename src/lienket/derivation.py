"""The theory on paper, one function a stage, as `pipeline` has them for numbers.

    free         A q'' = h                                         theory 2         free_system
    rows         G q'' + g0 = 0 of one constraint                  theory 3         constraints
    stages       D, H, C, f, verdicts, one constraint at a time    theory 4, 5      elimination
    equations    full, reduced, pseudovelocity, multipliers        theory 5, 8      elimination.forms
    reactions    r = G^T lambda + c                                theory 6, 9      reactions
    influence    what one constraint does to another               theory 7         reactions

Each takes a Statement and returns one frozen result. Results are kept by the parts of the statement they follow from:
equal parts are derived once, in however many systems, stages or values they appear.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from typing import Any

import sympy as sp

from .constraints import ConstraintRows, lower
from .elimination.chain import Chain, add, start
from .elimination.forms import Equations
from .elimination.forms import equations as equations_in_form
from .elimination.forms.equations import Pseudovelocities, new_symbols
from .elimination.singular_condition import condition_at
from .elimination.verdict import Verdict
from .errors import LienketError
from .foundation.arrays import Array
from .foundation.kept import Kept
from .free_system import FreeSystem, derive
from .language.expression import Expression, Symbol
from .language.traversal import symbols_in
from .model.constraint import Constraint
from .model.input.outputs import MULTIPLIER_LETTERS
from .model.statement import FreeStatement, Statement
from .reactions.influence import influence_between
from .reactions.laws.in_equations import laws_in_equations
from .reactions.reactions import Reactions, explicit_accelerations, reactions_by_method

RESULTS_CACHED = 128  # [results] cached formulas of each kind
CONDITION_OPERATIONS_LIMIT = 300  # [operations] of constraints whose stages are derived for the condition of a verdict
STAGES_CACHED = 8 * RESULTS_CACHED  # [results] cached constraint rows and chains of stages

kept_chains: Kept[Chain] = Kept(STAGES_CACHED)


def free(s: Statement) -> FreeSystem:
    """Return A q'' = h of the system without its constraints."""
    return _free(s.free)


def rows(s: Statement, constraint: Constraint) -> ConstraintRows:
    """Return the rows G q'' + g0 = 0 of one constraint."""
    return _rows(s.free, constraint)


def stages(s: Statement, independent: frozenset[int] = frozenset(), choice: str = "pivot") -> Chain:
    """Return the chain of stages: that of the free system, extended by one constraint after the other.

    Verdicts hold with the numbers of the statement, where it has any. Chains of the first constraints are kept, so that
    `constrain` continues where another system has ended.
    """
    numbers = default_numbers(s)
    used = list(accumulate((_parameters_of(c) for c in s.constraints), frozenset.union, initial=frozenset[Any]()))
    keys = [
        (s.free, s.constraints[:k], frozenset((p, numbers[p]) for p in used[k] if p in numbers), independent, choice)
        for k in range(len(s.constraints) + 1)
    ]
    for count in range(len(s.constraints), -1, -1):
        chain = kept_chains.get(keys[count])
        if chain is not None:
            break
    else:
        system = free(s)
        chain = start(system.engine, system.kinetic.A, system.inside_h, independent, choice)
        kept_chains.put(keys[0], chain)
    for k in range(count, len(s.constraints)):
        chain = add(chain, rows(s, s.constraints[k]), numbers)
        kept_chains.put(keys[k + 1], chain)
    return chain


def default_numbers(s: Statement) -> dict[Symbol, float]:
    """Return the finite default numbers of the parameters of a statement."""
    return {p: float(x) for p, x in s.values if p.is_Symbol and x.is_real and x.is_finite}


def equations(
    s: Statement, form: str, pseudovelocities: Pseudovelocities | None, independent: frozenset[int], choice: str
) -> Equations:  # fmt: skip
    """Return the equations of motion in one of their forms."""
    last, names = stages(s, independent, choice), {p.name for p in s.parameters} | set(s.aliases.values())
    count = sum(len(row) for row in last.rows if not row.drives)
    multipliers = new_symbols(last, MULTIPLIER_LETTERS, [str(k) for k in range(1, count + 1)], names)
    laws = laws_in_equations(s.constraints, s.coordinates, multipliers, names)
    return equations_in_form(last, s.constraints, form, laws, pseudovelocities)


def accelerations(s: Statement) -> tuple[Expression, ...]:
    """Return the accelerations q'' as formulas, n entries."""
    return _accelerations(stages(s))


def reactions(s: Statement, method: str) -> Reactions:
    """Return the reaction of every constraint as formulas."""
    return _reactions(stages(s), method)


def influence(s: Statement, of: str | None, on: str | None) -> Any:
    """Return the influence of constraint `of` on the reaction of `on`, or the table of all pairs."""
    return _influence(stages(s), of, on)


def condition_of(
    s: Statement, t: float, q: Array, v: Array, parameters: Array, at_state: Verdict
) -> tuple[Expression, ...]:
    """Return the expressions that vanish where a verdict holds that does not hold always, if they are short."""
    index = [c.name for c in s.constraints].index(at_state.name)
    before = s.constraints[: index + 1]
    if sum(sp.count_ops(e) for c in before for e in c.expressions) > CONDITION_OPERATIONS_LIMIT:
        return ()
    try:
        stage = stages(s.with_constraints(before)).stages[-1]
    except LienketError:
        return ()
    return condition_at(at_state, stage, [t, *q, *v, *parameters], s.parameters)


@lru_cache(maxsize=STAGES_CACHED)
def _parameters_of(constraint: Constraint) -> frozenset[Symbol]:
    """Return the symbols in the equations of a constraint."""
    return frozenset(symbol for e in constraint.every_expression() for symbol in symbols_in(e))


@lru_cache(maxsize=STAGES_CACHED)
def _rows(statement: FreeStatement, constraint: Constraint) -> ConstraintRows:
    # A fork: other systems on this free system may use the name of a symbol for a different one.
    return lower(constraint, _free(statement).engine.fork())


_free = lru_cache(maxsize=RESULTS_CACHED)(derive)
_accelerations = lru_cache(maxsize=RESULTS_CACHED)(explicit_accelerations)
_reactions = lru_cache(maxsize=RESULTS_CACHED)(reactions_by_method)
_influence = lru_cache(maxsize=RESULTS_CACHED)(influence_between)
