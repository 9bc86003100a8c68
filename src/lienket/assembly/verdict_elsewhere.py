"""Whether a verdict at a state holds everywhere on the constraints, and with other numbers of the parameters.

Both are decided in numbers. From the state a few steps lead along free motions, each projected onto the constraints, so
that the states reached belong to the same assembly of a linkage. Formulas are needed only to say where a verdict
holds that does not hold always.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..compiled.state_numbers import StateNumbers, evaluator
from ..elimination.verdict import CONTRADICTORY, REDUNDANT, Verdict
from ..errors import LienketError
from ..foundation.arrays import Array
from ..kernels.on_constraints import projected
from .numeric_system import NumericSystem

if TYPE_CHECKING:
    from ..kernels.state import State
    from ..language.expression import Expression

STATES_TRIED = 4  # [states] along free motions at which a verdict is compared
STEP_SIZE = 0.3  # [1] step along a free motion, relative to the coordinates, which count as at least 1
STEP_HALVINGS = 6  # [halvings] of a step whose end is not near the constraints
TIME_STEP = 1e-2  # [unit of time] change of the time at which a verdict is compared too
PARAMETER_CHANGE = 0.02  # [1] relative change of parameters at which a dependence must persist to be general
NOTHING_FREE = 1e-9  # [1] length of a free motion below which there is none

Instant = tuple[float, Array, Array]  # t, q, v
StateAt = Callable[[tuple[int, ...], float, Array, Array, Array], "State"]  # active constraints, t, q, v, parameters


class Surroundings:
    """Function that completes the verdicts at a state by those at states around it, which are found when needed.

    `state_at` returns the State under active constraints.
    """

    def __init__(
        self, system: NumericSystem, active: tuple[int, ...], at: Instant, parameters: Array, state_at: StateAt
    ) -> None:
        self._where = (system, active, at, parameters)
        self._state_at = state_at
        self._found: dict[tuple[int, ...], tuple[list[State], LienketError | None]] = {}

    def __call__(self, here: Verdict) -> Verdict:
        """Return the verdict `here` on a constraint, completed by `always`, `with_values` and the condition."""
        system, active, at, parameters = self._where
        facts, against = system.constraints, here.status == CONTRADICTORY
        # A constraint that contradicts others cannot be satisfied with them.
        kept = tuple(k for k in active if not against or here.name not in (facts[k].name, facts[k].holds))
        try:
            if all(_same(here, state) for state in self._states(kept)):
                special = here.status == REDUNDANT and not self._with_other_values(here)
                return replace(here, always=True, with_values=special)
        except LienketError:
            return here  # a state nearby has no numbers; the verdict at this state stands
        return replace(here, always=False, condition=_condition(system, active, at, parameters, here))

    def _states(self, kept: tuple[int, ...]) -> Iterator[State]:
        """Yield states of all active constraints that satisfy those kept; an error at one of them is raised there."""
        system, active, at, parameters = self._where
        if kept not in self._found:
            states: list[State] = []
            failure = None
            try:
                for s in _states(system, kept, at, parameters, self._state_at):
                    states.append(self._state_at(active, s.t, s.q, s.v, parameters))
            except LienketError as error:
                failure = error
            self._found[kept] = states, failure
        states, failure = self._found[kept]
        yield from states
        if failure is not None:
            raise failure

    def _with_other_values(self, here: Verdict) -> bool:
        """Return whether the rows are redundant with other numbers of the parameters too."""
        state = self._other_values
        return state is not None and _same(here, state)

    @cached_property
    def _other_values(self) -> State | None:
        """State on the constraints with other numbers of the parameters."""
        system, active, at, parameters = self._where
        signs, count = system.symbols.signs, np.arange(len(parameters))
        change = np.where(np.isin(count, signs), 0.0, PARAMETER_CHANGE * (-1.0) ** count / (1 + count))
        other = np.asarray(parameters) * (1 + change)
        there = projected(evaluator(system.model(active)), *at, other)
        return None if there is None else self._state_at(active, there.t, there.q, there.v, other)


def _same(here: Verdict, there: State) -> bool:
    """Return whether the verdict on the constraint at another state is the same."""
    verdict = there._raw_verdicts[here.name]
    return (verdict.status, verdict.rows) == (here.status, here.rows)


def _states(
    system: NumericSystem, active: tuple[int, ...], at: Instant, parameters: Array, state_at: StateAt
) -> Iterator[StateNumbers]:
    """Yield states on the active constraints: a moment later, and after steps along random free motions."""
    evaluate = evaluator(system.model(active))
    t, q, v = at
    here = projected(evaluate, t, q, v, parameters)
    if here is None:
        return
    later = projected(evaluate, t + TIME_STEP, here.q, here.v, parameters)
    if later is not None:
        yield later
    random = np.random.default_rng(len(q))  # always the same steps
    for _ in range(STATES_TRIED):
        D = state_at(active, t, here.q, here.v, parameters).D
        motion = D @ random.normal(size=D.shape[1])
        length = np.max(np.abs(motion) / np.maximum(np.abs(here.q), 1.0), initial=0.0)
        if length < NOTHING_FREE:
            return
        for halving in range(STEP_HALVINGS):
            step = STEP_SIZE * 0.5**halving * motion / length
            there = projected(evaluate, t, here.q + step, here.v, parameters)
            if there is not None:
                here = there
                yield here
                break
        else:
            return


def _condition(
    system: NumericSystem, active: tuple[int, ...], at: Instant, parameters: Array, here: Verdict
) -> tuple[Expression, ...]:
    """Return the expressions that vanish where the verdict holds, by formulas."""
    from ..derivation import condition_of

    machine = system.code.statement()
    every = machine.every_constraint
    statement = replace(machine, constraints=tuple(every[k] for k in active), events=())
    indices = [system.symbols.parameters.index(p.name) for p in statement.parameters]
    return condition_of(statement, *at, np.asarray(parameters)[indices], here)
