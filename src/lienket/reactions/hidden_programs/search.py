"""Programs of higher relative degree: what they ask of positions and velocities before any drive can keep them.

    A q'' = h + G1^T lambda + E u,    G1 q'' + g1 = 0 (passive),    G2 q'' + g2 = 0 (programs)      (theory 10)

Where G2 W1 E is singular, rows y = (ya, y1, y2) with y2 != 0 combine these equations so that q'', lambda and u cancel,

    ya^T A + y1^T G1 + y2^T G2 = 0,   ya^T G1^T = 0,   ya^T E = 0,

and phi(q, q', t) = ya^T h - y1^T g1 - y2^T g2 = 0 is left: a hidden program. It takes the place of one of the programs
in y2, which follows from the others and phi; it is differentiated down to accelerations, and the question is asked
again.
For the overhead crane phi says which way the rope must lean so that it can give the load its acceleration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import symengine as se
import sympy as sp

from ...constraints import ConstraintRows, lower
from ...elimination.chain import Chain, add
from ...elimination.null_space_step import ZERO, Matrix, Vector, dot
from ...elimination.pivot import choose
from ...elimination.sampling.point import Point
from ...elimination.verdict import CONTRADICTORY, REDUNDANT
from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ...language.printing.text import plain
from ...model.constraint import LEVELS, Constraint
from ..laws import law_force
from .expression import is_zero, lowest_level, readable
from .null_rows import NullRow, null_rows
from .result import HiddenPrograms, HiddenRow, Output, acting, listed


@dataclass(frozen=True)
class _Row:
    """A row G q'' + g0 = 0 to be kept; `orders` has the highest derivative of each output that stands in it."""

    place: Output
    G: Vector
    g0: Any
    orders: dict[str, int]


class _NotRealisable(Exception):
    """Carries the reason."""


def hidden_programs(passive: Chain, programs: Sequence[ConstraintRows]) -> HiddenPrograms:
    """What programs ask of the state, on top of the passive constraints in the chain.

    Raises LienketError where the question cannot be asked: constraints nonlinear in the accelerations, massless parts.
    """
    _refuse(passive, programs)
    columns = {name: list(E) for rows in programs for name, E in rows.drives}
    outputs = [label for rows in programs for label in labels(rows)]
    degrees = {label: 2 - _level(rows) for rows in programs for label in labels(rows)}
    found: list[HiddenRow] = []
    active: list[_Row] = []
    try:
        if len(columns) < len(outputs):
            raise _NotRealisable(
                f"{_counted(len(columns), 'drive')} ({', '.join(columns)}) cannot keep {len(outputs)} programs "
                f"({', '.join(outputs)}) at once: give as many drives as programs, or fewer programs."
            )
        chain = passive
        for rows in programs:
            chain = _with_program(chain, rows)
            active += _active(rows, degrees)
        while True:
            null = _undetermined(chain, passive, active, list(columns.values()))
            if null is None:
                break
            hidden, chain, active = _one_more(chain, active, null, len(found) + 1, tuple(columns))
            found.append(hidden)
            if sum(2 - row.level for row in found) > 2 * len(passive.h):
                raise _NotRealisable(
                    f"More than {2 * len(passive.h)} derivatives of {listed(outputs)} do not bring in the drives "
                    f"{', '.join(columns)}: they cannot keep these programs."
                )
    except _NotRealisable as why:
        return HiddenPrograms(tuple(found), (), {}, tuple(columns), str(why))
    degrees = {label: max(row.orders.get(label, 0) for row in active) for label in outputs}
    return HiddenPrograms(tuple(found), tuple(row.place for row in active), degrees, tuple(columns))


def labels(rows: ConstraintRows) -> list[str]:
    """The names of the outputs of a program: its own, or one for each of its rows."""
    return [rows.name] if len(rows) == 1 else [f"{rows.name}[{k}]" for k in range(len(rows))]


def _refuse(passive: Chain, programs: Sequence[ConstraintRows]) -> None:
    implicit = [row.name for row in (*passive.rows, *programs) if row.nonlinear]
    if implicit:
        raise LienketError(
            f"{listed(implicit)} is nonlinear in the accelerations; hidden programs are not sought there."
        )
    against = [stage.verdict.sentence for stage in passive.stages if stage.verdict.status == CONTRADICTORY]
    if against:
        raise LienketError("There is no motion: " + " ".join(against))


def _level(rows: ConstraintRows) -> int:
    return 0 if rows.position else 1 if rows.velocity else 2


def _active(rows: ConstraintRows, degrees: Mapping[str, int]) -> list[_Row]:
    parts = zip(labels(rows), rows.inside_G, rows.inside_g0, strict=True)
    return [_Row((rows.name, k), list(G), g0, {label: degrees[label]}) for k, (label, G, g0) in enumerate(parts)]


def _with_program(chain: Chain, rows: ConstraintRows) -> Chain:
    """The chain with a program; as a constraint on the motion it must bring something new."""
    extended = add(chain, rows)
    verdict = extended.stages[-1].verdict
    if verdict.status == CONTRADICTORY:
        raise _NotRealisable(f"No motion keeps the program: {verdict.sentence}")
    if verdict.status == REDUNDANT:
        raise _NotRealisable(f"The drives are not determined: {verdict.sentence} Leave it out.")
    return extended


def _undetermined(chain: Chain, passive: Chain, active: Sequence[_Row], E: Matrix) -> NullRow | None:
    """A combination of the equations without accelerations, multipliers and drives; weights of `active`, and phi.

    One at a time: the others are looked for again with its phi among the rows. What programs say of time alone is a
    symbol until then, so that phi shows it as it was said.
    """
    n = len(chain.h)
    kept = {(name, number) for name, number, _ in passive.accepted}
    bound = [(J, c) for row in passive.rows for k, (J, c) in enumerate(zip(row.inside_G, row.inside_g0, strict=True))
             if (row.name, k) in kept]  # fmt: skip
    M: Matrix = [
        [*chain.A[i], *(-J[i] if J[i] != 0 else ZERO for J, _ in bound), *(-e[i] if e[i] != 0 else ZERO for e in E)]
        for i in range(n)
    ]
    nothing: Vector = [ZERO] * (len(bound) + len(E))
    M += [[*J, *nothing] for J, _ in bound] + [[*row.G, *nothing] for row in active]
    split = [_law(chain, row.g0, k) for k, row in enumerate(active)]
    laws = {symbol: law for symbol, law, _ in split if law != 0}
    b = [*chain.h, *(-c for _, c in bound), *(-(symbol + rest) for symbol, _, rest in split)]
    engine = chain.engine
    points = [Point({**p.values, **{s: p.number(law) for s, law in laws.items()}}, p.small) for p in chain.points]
    null = null_rows(M, b, points, {engine.t, *engine.q, *engine.v, *engine.a, *laws})
    if not null:
        return None
    weights = null[0].weights[n + len(bound) :]
    if all(w == 0 for w in weights):
        raise LienketError("A part without mass moves freely: its accelerations are undetermined whatever drives do.")
    _refuse_friction(chain, null[0].weights[:n])
    return NullRow(weights, readable(chain, null[0].rest, laws))


def _refuse_friction(chain: Chain, weights: Vector) -> None:
    """Friction follows a multiplier, so phi must be free of it: ya^T (d slip/d q')^T = 0."""
    coordinates = [chain.engine.outward(q) for q in chain.engine.q]
    for row in chain.rows:
        along = dict(law_force(row, coordinates).direction)
        push = dot(weights, [chain.engine.inward(along.get(x, sp.S.Zero)) for x in coordinates])
        if push != 0 and not all(is_zero(point, push) for point in chain.points):
            raise LienketError(
                f"The friction of {row.name!r} acts on what the programs ask of positions and velocities before drives "
                "can keep them; such hidden programs are not sought. Give drives that reach the programs at once, or "
                "let the constraint be ideal."
            )


def _law(chain: Chain, g0: Any, number: int) -> tuple[Any, Any, Any]:
    """A symbol for the terms of g0 in which time stands and nothing else that moves, these terms, and the others."""
    motion = {*chain.engine.q, *chain.engine.v}
    terms = g0.args if g0.is_Add else (g0,)
    timed = [e for e in terms if chain.engine.t in e.free_symbols and e.free_symbols.isdisjoint(motion)]
    if not timed:
        return ZERO, ZERO, g0
    return se.Symbol(f"law {number}"), se.Add(*timed), se.Add(*[e for e in terms if e not in timed])


def _one_more(
    chain: Chain, active: list[_Row], null: NullRow, number: int, drives: Sequence[str]
) -> tuple[HiddenRow, Chain, list[_Row]]:
    """The hidden program of a combination, the chain with it, and the rows with it in place of one it is made of."""
    taking = [k for k, w in enumerate(null.weights) if w != 0]
    orders: dict[str, int] = {}
    for k in taking:
        for label, order in active[k].orders.items():
            orders[label] = max(order, orders.get(label, 0))
    of = tuple(orders)
    phi = null.rest
    _check_reached(chain, phi, orders, drives)
    phi, level = lowest_level(chain, phi)
    engine = chain.engine.fork()
    constraint = Constraint(f"hidden program {number}", LEVELS[level], level, (engine.outward(phi),))
    rows = lower(constraint, engine)
    extended = add(chain, rows)
    verdict = extended.stages[-1].verdict
    if verdict.status == CONTRADICTORY or (verdict.status == REDUNDANT and not verdict.adds):
        raise _NotRealisable(
            f"The {acting(drives)} not reach {listed(of)} in {max(orders.values())} derivatives: "
            f"{plain(constraint.expressions[0])} = 0 is asked for as well, and {verdict.sentence}"
        )
    raised = {label: order + 2 - level for label, order in orders.items()}
    new = _Row((constraint.name, 0), list(rows.inside_G[0]), rows.inside_g0[0], raised)
    motion = {chain.engine.t, *chain.engine.q, *chain.engine.v}
    replaced = choose(null.weights, taking, motion)  # it follows from the others wherever its weight does not vanish
    kept = [row for k, row in enumerate(active) if k != replaced]
    return HiddenRow(constraint, of), extended, [*kept, new]


def _check_reached(chain: Chain, phi: Any, orders: Mapping[str, int], drives: Sequence[str]) -> None:
    """Refuse a phi that holds anyway, or never."""
    reach = f"The {acting(drives)} not reach {listed(list(orders))} in {max(orders.values())} derivatives"
    if phi == 0 or all(is_zero(point, phi) for point in chain.points):
        raise _NotRealisable(
            f"{reach}: what is asked for holds whatever they do, or follows from other programs. Leave it out, or "
            "add a drive that acts on it."
        )
    if phi.free_symbols.isdisjoint({*chain.engine.q, *chain.engine.v}):
        raise _NotRealisable(
            f"{reach}: it would have to be that {plain(chain.engine.outward(phi))} = 0, which is not so and which no "
            "motion changes. Change the law, or add a drive that acts on it."
        )


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 else ''}"
