"""Hidden programs: conditions on positions and velocities implied by programs of higher relative degree.

    A q'' = h + G1^T lambda + E u,    G1 q'' + g1 = 0 (passive),    G2 q'' + g2 = 0 (programs)      (theory 10)

Where G2 W1 E is singular, rows y = (ya, y1, y2) with y2 != 0 combine these equations so that q'', lambda and u cancel,

    ya^T A + y1^T G1 + y2^T G2 = 0,   ya^T G1^T = 0,   ya^T E = 0,

and phi(q, q', t) = ya^T h - y1^T g1 - y2^T g2 = 0 is left: a hidden program. It replaces one of the programs in y2,
which follows from the others and phi; it is differentiated to acceleration level, and the search is repeated.
For the overhead crane, phi is the inclination of the rope that gives the load its acceleration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import symengine as se
import sympy as sp

from ...constraints import ConstraintRows, lower
from ...elimination.chain import Chain, add
from ...elimination.null_space_step import ZERO, Matrix, Vector, dot
from ...elimination.pivot import choose_pivot
from ...elimination.sampling.point import Point
from ...elimination.verdict import CONTRADICTORY, REDUNDANT
from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ...language.printing.text import plain
from ...model.constraint import LEVELS, Constraint
from ...model.laws.law_force import law_force
from .expression import is_zero, lowest_level, readable
from .null_rows import NullRow, null_rows
from .result import HiddenPrograms, HiddenRow, Output, drives_clause, quoted_list


@dataclass(frozen=True)
class _Row:
    """Row G q'' + g0 = 0 of a program; `orders` has the highest derivative of each output that occurs in it."""

    output: Output
    G: Vector
    g0: se.Expr
    orders: dict[str, int]


class _NotRealisable(Exception):
    """Error whose message is the reason why the drives cannot realise the programs."""


def hidden_programs(passive: Chain, programs: Sequence[ConstraintRows]) -> HiddenPrograms:
    """Return the hidden programs implied by programs together with the passive constraints of the chain.

    Raises LienketError for constraints nonlinear in the accelerations, free massless parts, and contradictions.
    """
    _check_supported(passive, programs)
    columns = {name: list(E) for rows in programs for name, E in rows.drives}
    outputs = [label for rows in programs for label in output_names(rows)]
    degrees = {label: 2 - _level(rows) for rows in programs for label in output_names(rows)}
    hidden: list[HiddenRow] = []
    active: list[_Row] = []
    try:
        if len(columns) < len(outputs):
            raise _NotRealisable(
                f"{_counted(len(columns), 'drive')} ({', '.join(columns)}) cannot keep {len(outputs)} programs "
                f"({', '.join(outputs)}) at once: state as many drives as programs, or fewer programs."
            )
        chain = passive
        for rows in programs:
            chain = _with_program(chain, rows)
            active += _program_rows(rows, degrees)
        while True:
            null = _null_combination(chain, passive, active, list(columns.values()))
            if null is None:
                break
            row, chain, active = _next_hidden_program(chain, active, null, len(hidden) + 1, tuple(columns))
            hidden.append(row)
            if sum(2 - row.level for row in hidden) > 2 * len(passive.h):
                raise _NotRealisable(
                    f"The drives {', '.join(columns)} do not appear in the first {2 * len(passive.h)} derivatives of "
                    f"{quoted_list(outputs)}: they cannot keep these programs."
                )
    except _NotRealisable as reason:
        return HiddenPrograms(tuple(hidden), (), {}, tuple(columns), str(reason))
    degrees = {label: max(row.orders.get(label, 0) for row in active) for label in outputs}
    return HiddenPrograms(tuple(hidden), tuple(row.output for row in active), degrees, tuple(columns))


def output_names(rows: ConstraintRows) -> list[str]:
    """Return the names of the outputs of a program: its name, or name[k] for each of several rows."""
    return [rows.name] if len(rows) == 1 else [f"{rows.name}[{k}]" for k in range(len(rows))]


def _check_supported(passive: Chain, programs: Sequence[ConstraintRows]) -> None:
    """Raise an error for constraints nonlinear in the accelerations and for contradictions."""
    implicit = [row.name for row in (*passive.rows, *programs) if row.nonlinear]
    if implicit:
        raise LienketError(
            f"{quoted_list(implicit)} is nonlinear in the accelerations; hidden programs are not derived for it."
        )
    contradictions = [stage.verdict.sentence for stage in passive.stages if stage.verdict.status == CONTRADICTORY]
    if contradictions:
        raise LienketError("There is no motion: " + " ".join(contradictions))


def _level(rows: ConstraintRows) -> int:
    """Return 0 for position, 1 for velocity, 2 for acceleration constraints."""
    return 0 if rows.position else 1 if rows.velocity else 2


def _program_rows(rows: ConstraintRows, degrees: Mapping[str, int]) -> list[_Row]:
    """Return the rows of a program with the derivative order of each output."""
    parts = zip(output_names(rows), rows.inside_G, rows.inside_g0, strict=True)
    return [_Row((rows.name, k), list(G), g0, {label: degrees[label]}) for k, (label, G, g0) in enumerate(parts)]


def _with_program(chain: Chain, rows: ConstraintRows) -> Chain:
    """Return the chain with a program as a constraint; raise an error if it is not independent."""
    extended = add(chain, rows)
    verdict = extended.stages[-1].verdict
    if verdict.status == CONTRADICTORY:
        raise _NotRealisable(f"No motion keeps the program: {verdict.sentence}")
    if verdict.status == REDUNDANT:
        raise _NotRealisable(f"The drives are not determined: {verdict.sentence} Leave it out.")
    return extended


def _null_combination(chain: Chain, passive: Chain, active: Sequence[_Row], E: Matrix) -> NullRow | None:
    """Return a combination of the equations free of q'', lambda and u: the weights of `active`, and phi.

    One at a time: the next one is searched with this phi among the rows. Terms of programs that depend on time only are
    represented by symbols until the end, so that phi contains the laws as stated.
    """
    n = len(chain.h)
    accepted = {(name, number) for name, number, _ in passive.accepted}
    bound = [(J, c) for row in passive.rows for k, (J, c) in enumerate(zip(row.inside_G, row.inside_g0, strict=True))
             if (row.name, k) in accepted]  # fmt: skip
    M: Matrix = [
        [*chain.A[i], *(-J[i] if J[i] != 0 else ZERO for J, _ in bound), *(-e[i] if e[i] != 0 else ZERO for e in E)]
        for i in range(n)
    ]
    zeros: Vector = [ZERO] * (len(bound) + len(E))
    M += [[*J, *zeros] for J, _ in bound] + [[*row.G, *zeros] for row in active]
    split = [_split_law(chain, row.g0, k) for k, row in enumerate(active)]
    laws = {symbol: law for symbol, law, _ in split if law != 0}
    b = [*chain.h, *(-c for _, c in bound), *(-(symbol + rest) for symbol, _, rest in split)]
    engine = chain.engine
    points = [Point({**p.values, **{s: p.number(law) for s, law in laws.items()}}, p.tolerance) for p in chain.points]
    null = null_rows(M, b, points, {engine.t, *engine.q, *engine.v, *engine.a, *laws})
    if not null:
        return None
    weights = null[0].weights[n + len(bound) :]
    if all(w == 0 for w in weights):
        raise LienketError(
            "A massless part can move freely: its accelerations are undetermined for any drives. Give it inertia, or "
            "constrain it."
        )
    _check_friction(chain, null[0].weights[:n])
    return NullRow(weights, readable(chain, null[0].rest, laws))


def _check_friction(chain: Chain, weights: Vector) -> None:
    """Raise an error if friction, which depends on a multiplier, enters phi: ya^T (d slip/d q')^T != 0."""
    coordinates = [chain.engine.outward(q) for q in chain.engine.q]
    for row in chain.rows:
        direction = dict(law_force(row, coordinates).direction)
        friction = dot(weights, [chain.engine.inward(direction.get(x, sp.S.Zero)) for x in coordinates])
        if friction != 0 and not all(is_zero(point, friction) for point in chain.points):
            raise LienketError(
                f"The friction of {row.name!r} enters the hidden programs, which are derived only for forces that do "
                "not depend on reactions. Use drives that act on the programs directly, or make the constraint ideal."
            )


def _split_law(chain: Chain, g0: se.Expr, number: int) -> tuple[se.Expr, se.Expr, se.Expr]:
    """Split g0 into the terms that depend on time only and the rest; return a symbol for the former, and both."""
    motion = {*chain.engine.q, *chain.engine.v}
    terms = g0.args if g0.is_Add else (g0,)
    timed = [e for e in terms if chain.engine.t in e.free_symbols and e.free_symbols.isdisjoint(motion)]
    if not timed:
        return ZERO, ZERO, g0
    return se.Symbol(f"law {number}"), se.Add(*timed), se.Add(*[e for e in terms if e not in timed])


def _next_hidden_program(
    chain: Chain, active: list[_Row], null: NullRow, number: int, drives: Sequence[str]
) -> tuple[HiddenRow, Chain, list[_Row]]:
    """Return the hidden program of a combination, the chain with it, and the rows with it in place of one of them."""
    combined = [k for k, w in enumerate(null.weights) if w != 0]
    orders: dict[str, int] = {}
    for k in combined:
        for label, order in active[k].orders.items():
            orders[label] = max(order, orders.get(label, 0))
    of = tuple(orders)
    phi = null.rest
    _check_solvable(chain, phi, orders, drives)
    phi, level = lowest_level(chain, phi)
    engine = chain.engine.fork()
    constraint = Constraint(f"hidden program {number}", LEVELS[level], level, (engine.outward(phi),))
    rows = lower(constraint, engine)
    extended = add(chain, rows)
    verdict = extended.stages[-1].verdict
    if verdict.status == CONTRADICTORY or (verdict.status == REDUNDANT and not verdict.adds):
        raise _NotRealisable(
            f"The {drives_clause(drives)} not appear in the first {max(orders.values())} derivatives of "
            f"{quoted_list(of)}: {plain(constraint.expressions[0])} = 0 is required as well, and {verdict.sentence}"
        )
    raised_orders = {label: order + 2 - level for label, order in orders.items()}
    new = _Row((constraint.name, 0), list(rows.inside_G[0]), rows.inside_g0[0], raised_orders)
    motion = {chain.engine.t, *chain.engine.q, *chain.engine.v}
    replaced = choose_pivot(null.weights, combined, motion)  # follows from the others where its weight is nonzero
    others = [row for k, row in enumerate(active) if k != replaced]
    return HiddenRow(constraint, of), extended, [*others, new]


def _check_solvable(chain: Chain, phi: se.Expr, orders: Mapping[str, int], drives: Sequence[str]) -> None:
    """Raise an error if phi = 0 holds identically or never."""
    names = quoted_list(list(orders))
    absent = f"The {drives_clause(drives)} not appear in the first {max(orders.values())} derivatives of {names}"
    if phi == 0 or all(is_zero(point, phi) for point in chain.points):
        raise _NotRealisable(
            f"{absent}: the program holds for any drives, or follows from other programs. Leave it out, or add a "
            "drive that acts on it."
        )
    if phi.free_symbols.isdisjoint({*chain.engine.q, *chain.engine.v}):
        raise _NotRealisable(
            f"{absent}: {plain(chain.engine.outward(phi))} = 0 would be required, which no motion satisfies. Change "
            "the law, or add a drive that acts on it."
        )


def _counted(count: int, what: str) -> str:
    """Return "1 drive", "2 drives"."""
    return f"{count} {what}{'s' if count != 1 else ''}"
