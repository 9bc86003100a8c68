"""Statement on the graph: its energies, forces, constraints and outputs as nodes, before any derivation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import symengine as se
import sympy as sp

from ...foundation.frozen_dataclass import dataclass
from ...language.engine.engine import Engine
from ...language.expression import Coordinate, Expression, Symbol
from ...model.constraint import Constraint
from ...model.laws.contact_signs import direction_of, sense_of
from ...model.reaction_symbols import row_multipliers, with_multipliers
from ...model.statement import FreeStatement
from ..graph.from_symengine import Translator
from ..graph.graph import Graph
from .mechanism_nodes import Groups, MechanismNodes

if TYPE_CHECKING:
    from ...model.laws.law_force import Column


NO_BOUND = sp.Float(1e300)  # [force] bound of a drive that is not limited
PARAMETERS = 3  # place of the parameters among the groups of inputs


@dataclass(frozen=True)
class ConstraintNodes:
    """Constraint on the graph: its expressions (s) and, for a program, the columns of E by drive (n each).

    Its law exerts push (n) + share lambda direction (n) in addition to G^T lambda; both are empty without a law.
    `drive_limits` are (weight, least, most) of each drive, `gains` those of the error and of its rate, or empty.
    `normal` is the normal force of a contact per multiplier, 1 for all others; `limit` the force that holds it at rest
    per multiplier, 0 for all others.
    """

    name: str
    kind: str
    level: int
    expressions: tuple[int, ...]
    drives: tuple[tuple[str, tuple[int, ...]], ...]
    push: tuple[int, ...]
    share: int
    direction: tuple[int, ...]
    drive_limits: tuple[tuple[int, ...], ...]
    gains: tuple[int, ...]
    normal: int
    limit: int
    of_mechanism: bool = False

    def __len__(self) -> int:
        return len(self.expressions)


@dataclass(frozen=True)
class StatementNodes:
    """Nodes of the inputs and of the whole statement; n coordinates, s rows.

    Inputs in this order: t, q (n), v (n), parameters, a (n), multipliers (s), drives (p). Either `kinetic` or `inertia`
    (n x n) is None. `points` holds (r, F), a coordinate of a point and the force along it. `constraints` hold at all
    times and have rows in the equations; `followed` are the programs that the motion may deviate from. `expanded`
    returns the expanded kinetic energy.
    """

    graph: Graph
    t: int
    q: tuple[int, ...]
    v: tuple[int, ...]
    parameters: tuple[int, ...]
    a: tuple[int, ...]
    multipliers: tuple[int, ...]
    drives: tuple[int, ...]
    kinetic: int | None
    inertia: tuple[tuple[int, ...], ...] | None
    potential: int
    dissipation: int
    forces: tuple[int, ...]
    points: tuple[tuple[int, int], ...]
    constraints: tuple[ConstraintNodes, ...]
    followed: tuple[ConstraintNodes, ...]
    outputs: tuple[tuple[str, int], ...]
    expanded: Callable[[], int]
    mechanism: MechanismNodes | None = None

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return len(self.q)

    def roots(self) -> list[int]:
        """Return all nodes of the statement, in a fixed order."""
        energies = [x for x in (self.kinetic, self.potential, self.dissipation) if x is not None]
        inertia = [x for row in self.inertia or () for x in row]
        every = (*self.constraints, *self.followed)
        rows = [x for c in every for x in (*c.expressions, *(e for _, E in c.drives for e in E))]
        rows += [x for c in every for x in (*c.push, c.share, *c.direction, c.normal, c.limit)]
        rows += [x for c in every for x in (*(y for part in c.drive_limits for y in part), *c.gains)]
        points = [x for pair in self.points for x in pair]
        return [*energies, *inertia, *self.forces, *points, *rows, *(x for _, x in self.outputs)]


def always_held(constraints: Sequence[Constraint]) -> tuple[Constraint, ...]:
    """Return the constraints that hold at all times: all except programs that the motion may deviate from."""
    return tuple(c for c in constraints if not c.following.may_deviate)


def statement_nodes(
    statement: FreeStatement,
    constraints: Sequence[Constraint],
    parameters: Sequence[Symbol],
    outputs: Mapping[str, Expression],
    factor_depth: int = 2,
) -> StatementNodes:
    """Translate a statement to a new graph; outputs are expressions by name."""
    engine = Engine(statement.coordinates)
    graph = Graph(factor_depth)
    n, held = len(engine.q), always_held(constraints)
    every = (*held, *(c for c in constraints if c.following.may_deviate))
    counts = (1, n, n, len(parameters), n, sum(len(c.expressions) for c in held), sum(len(c.drives) for c in every))
    orders = [_without_names(parameters, every) if k == PARAMETERS else range(count) for k, count in enumerate(counts)]
    (t,), q, v, p, a, multipliers, u = (tuple(graph.inputs_made(order)) for order in orders)
    constants = (*parameters, *row_multipliers(held))
    symbols = [engine.t, *engine.q, *engine.v, *map(engine.inward, constants), *engine.a]
    inward = engine.inward
    kinetic = None if statement.kinetic is None else inward(statement.kinetic)
    inertia = _inertia(statement, inward)
    points = [(inward(r), inward(F)) for load in statement.loads for r, F in zip(load.at, load.components, strict=True)]
    constraint_parts = [_constraint_expressions(c, statement.coordinates, engine) for c in every]
    parts = [
        [kinetic] if kinetic is not None else [],
        [e for row in inertia or () for e in row],
        [inward(statement.potential), inward(statement.dissipation)],
        [inward(force) for force in statement.forces],
        [e for pair in points for e in pair],
        [e for c in constraint_parts for part in c for e in part],
        [inward(with_multipliers(e, constraints, statement.coordinates)) for e in outputs.values()],
    ]
    node_of = dict(zip(symbols, [t, *q, *v, *p, *multipliers, *a], strict=True))
    translate = Translator(graph, node_of, engine.data_functions)
    translated = iter(translate([e for part in parts for e in part]))
    T, A, VR, Q, rF, rows, out = ([next(translated) for _ in part] for part in parts)
    mechanism = None
    if statement.mechanism is not None:
        groups = Groups(graph, t, q, v, a, multipliers)
        names = tuple(p.name for p in parameters)
        mechanism = MechanismNodes(statement.mechanism, groups, lambda e: translate([inward(e)])[0], names)
    node = iter(rows)
    constrained = [
        _constraint(c, [tuple(next(node) for _ in part) for part in groups])
        for c, groups in zip(every, constraint_parts, strict=True)
    ]
    return StatementNodes(
        graph, t, q, v, p, a, multipliers, u,
        kinetic=mechanism.kinetic if mechanism is not None else T[0] if T else None,
        inertia=None if inertia is None else tuple(tuple(A[i * n : (i + 1) * n]) for i in range(n)),
        potential=VR[0] if mechanism is None else mechanism.potential,
        dissipation=VR[1] if mechanism is None else mechanism.dissipation,
        forces=tuple(Q) if mechanism is None else tuple(mechanism.forces),
        points=tuple(zip(rF[::2], rF[1::2], strict=True)),
        constraints=tuple(constrained[: len(held)]),
        followed=tuple(constrained[len(held) :]),
        outputs=tuple(zip(outputs, out, strict=True)),
        expanded=lambda: translate([se.expand(kinetic)])[0],
        mechanism=mechanism,
    )  # fmt: skip


def _without_names(parameters: Sequence[Symbol], constraints: Sequence[Constraint]) -> list[int]:
    """Return the parameters with the signs of contacts last, in the order of these: sums are ordered by their nodes.

    Parameters are sorted by name, but numbers must not depend on how a constraint is called.
    """
    signs = [sign for c in constraints for sign in (direction_of(c.name), sense_of(c.name))]
    place = {sign: k for k, sign in enumerate(signs)}
    return sorted(range(len(parameters)), key=lambda k: place.get(parameters[k], -1))


def _constraint_expressions(c: Constraint, coordinates: Sequence[Coordinate], engine: Engine) -> list[list[se.Expr]]:
    """Return all expressions of a constraint in groups, whose nodes `_constraint` collects."""
    inward, control = engine.inward, c.following
    push, share, direction = _law_parts(c, coordinates)
    free = ((None, None),) * len(c.drives)
    bounds = zip(control.weights or (sp.S.One,) * len(c.drives), control.bounds or free, strict=True)
    limits = [
        (w, -NO_BOUND if least is None else least, NO_BOUND if most is None else most) for w, (least, most) in bounds
    ]
    return [
        [inward(e) for e in c.expressions],
        *(_column(factors, engine) for _, factors in c.drives),
        *([inward(e) for e in part] for part in limits),
        _column(push, engine) if push else [],
        [inward(share)],
        _column(direction, engine) if direction else [],
        [inward(k) for k in control.gains or ()],
        [inward(sp.S.One if c.normal_factor is None else c.normal_factor), inward(_static_limit(c))],
    ]


def _static_limit(c: Constraint) -> Expression:
    """Return the force that holds a contact at rest per multiplier, 0 where nothing sticks."""
    if c.law is None or not c.law.has_friction or not c.law.can_stick:
        return sp.S.Zero
    factor = sp.S.One if c.normal_factor is None else c.normal_factor
    return factor * c.law.static_coefficient  # type: ignore[attr-defined]


def _law_parts(c: Constraint, coordinates: Sequence[Coordinate]) -> tuple[Column, Expression, Column]:
    """Return push, share and direction of the law of a constraint."""
    if c.law is None:
        return (), sp.S.Zero, ()
    from ...model.laws.law_force import law_force  # imported late: most systems have no laws

    force = law_force(c, coordinates)
    return force.push, force.share, force.direction


def _constraint(c: Constraint, nodes: list[tuple[int, ...]]) -> ConstraintNodes:
    """Return the nodes of a constraint from those of its groups of expressions."""
    p = len(c.drives)
    drives = tuple(zip((name for name, _ in c.drives), nodes[1 : 1 + p], strict=True))
    push, (share,), direction, gains, (normal, limit) = nodes[1 + 2 * p :]
    limits = tuple(nodes[1 + p : 1 + 2 * p])
    return ConstraintNodes(
        c.name,
        c.kind,
        c.level,
        nodes[0],
        drives,
        push,
        share,
        direction,
        limits,
        gains,
        normal,
        limit,
        c.of_mechanism,
    )


def _inertia(statement: FreeStatement, inward: Callable[[Expression], se.Expr]) -> list[list[se.Expr]] | None:
    """Return a stated inertia matrix or None; its lower half serves for both, which may differ by rounding."""
    A, n = statement.inertia, len(statement.coordinates)
    return None if A is None else [[inward(A[max(i, j), min(i, j)]) for j in range(n)] for i in range(n)]


def _column(factors: Column, engine: Engine) -> list[se.Expr]:
    """Return a column (n) from pairs (coordinate, factor)."""
    by_symbol = {engine.inward(x): engine.inward(factor) for x, factor in factors}
    return [by_symbol.get(q, se.Integer(0)) for q in engine.q]
