"""A statement on the graph: its energies, forces, constraints and outputs as nodes, nothing derived yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import symengine as se

from ..model.algebra.engine import Engine
from ..model.constraint import Constraint
from ..model.exerted import resolved, row_multipliers
from ..model.statement import FreeStatement
from .graph import Graph
from .translate import Translator


@dataclass(frozen=True)
class StatedConstraint:
    """A constraint on the graph: its expressions (s) and, for a program, the columns of E by drive (n each)."""

    name: str
    kind: str
    level: int
    expressions: tuple[int, ...]
    drives: tuple[tuple[str, tuple[int, ...]], ...]

    def __len__(self) -> int:
        return len(self.expressions)


@dataclass(frozen=True)
class Stated:
    """The nodes of the inputs and of everything stated; n coordinates, s rows.

    Inputs in this order: t, q (n), v (n), parameters, a (n), multipliers (s). Either `kinetic` or `inertia` (n x n) is
    None. `points` holds (r, F), the nodes of a coordinate of a point and the component of the force along it.
    `expanded` gives the kinetic energy multiplied out.
    """

    graph: Graph
    t: int
    q: tuple[int, ...]
    v: tuple[int, ...]
    parameters: tuple[int, ...]
    a: tuple[int, ...]
    multipliers: tuple[int, ...]
    kinetic: int | None
    inertia: tuple[tuple[int, ...], ...] | None
    potential: int
    dissipation: int
    forces: tuple[int, ...]
    points: tuple[tuple[int, int], ...]
    constraints: tuple[StatedConstraint, ...]
    outputs: tuple[tuple[str, int], ...]
    expanded: Callable[[], int]

    @property
    def n(self) -> int:
        """The number of coordinates."""
        return len(self.q)

    def roots(self) -> list[int]:
        """Every node that states something, in a fixed order."""
        energies = [x for x in (self.kinetic, self.potential, self.dissipation) if x is not None]
        inertia = [x for row in self.inertia or () for x in row]
        rows = [x for c in self.constraints for x in (*c.expressions, *(e for _, E in c.drives for e in E))]
        points = [x for pair in self.points for x in pair]
        return [*energies, *inertia, *self.forces, *points, *rows, *(x for _, x in self.outputs)]


def stated(
    statement: FreeStatement,
    constraints: Sequence[Constraint],
    parameters: Sequence[Any],
    outputs: Mapping[str, Any],
    factor_depth: int = 2,
) -> Stated:
    """The statement on a graph of its own; outputs are expressions by name."""
    engine = Engine(statement.coordinates)
    graph = Graph(factor_depth)
    n, s = len(engine.q), sum(len(c.expressions) for c in constraints)
    nodes = [[graph.input() for _ in range(count)] for count in (1, n, n, len(parameters), n, s)]
    (t,), q, v, p, a, multipliers = map(tuple, nodes)
    known = (*parameters, *row_multipliers(constraints))
    symbols = [engine.t, *engine.q, *engine.v, *map(engine.inward, known), *engine.a]
    inward = engine.inward
    kinetic = None if statement.kinetic is None else inward(statement.kinetic)
    inertia = _inertia(statement, inward)
    points = [(inward(r), inward(F)) for load in statement.loads for r, F in zip(load.at, load.components, strict=True)]
    drives = [[(name, _column(factors, engine)) for name, factors in c.drives] for c in constraints]
    parts = [
        [kinetic] if kinetic is not None else [],
        [e for row in inertia or () for e in row],
        [inward(statement.potential), inward(statement.dissipation)],
        [inward(force) for force in statement.forces],
        [e for pair in points for e in pair],
        [inward(e) for c in constraints for e in c.expressions],
        [e for columns in drives for _, column in columns for e in column],
        [inward(resolved(e, constraints, statement.coordinates)) for e in outputs.values()],
    ]
    translate = Translator(graph, dict(zip(symbols, [t, *q, *v, *p, *multipliers, *a], strict=True)), engine.given)
    found = iter(translate([e for part in parts for e in part]))
    T, A, VR, Q, rF, rows, E, out = ([next(found) for _ in part] for part in parts)
    row, column = iter(rows), iter(E)
    return Stated(
        graph, t, q, v, p, a, multipliers,
        kinetic=T[0] if T else None,
        inertia=None if inertia is None else tuple(tuple(A[i * n : (i + 1) * n]) for i in range(n)),
        potential=VR[0],
        dissipation=VR[1],
        forces=tuple(Q),
        points=tuple(zip(rF[::2], rF[1::2], strict=True)),
        constraints=tuple(
            StatedConstraint(
                c.name, c.kind, c.level, tuple(next(row) for _ in c.expressions),
                tuple((name, tuple(next(column) for _ in range(n))) for name, _ in columns),
            )
            for c, columns in zip(constraints, drives, strict=True)
        ),
        outputs=tuple(zip(outputs, out, strict=True)),
        expanded=lambda: translate([se.expand(kinetic)])[0],
    )  # fmt: skip


def _inertia(statement: FreeStatement, inward: Callable[[Any], Any]) -> list[list[Any]] | None:
    """The inertia matrix if it is given; its lower half stands for both, they may differ by rounding or in form."""
    A, n = statement.inertia, len(statement.coordinates)
    return None if A is None else [[inward(A[max(i, j), min(i, j)]) for j in range(n)] for i in range(n)]


def _column(factors: Any, engine: Engine) -> list[Any]:
    by_symbol = {engine.inward(x): engine.inward(factor) for x, factor in factors}
    return [by_symbol.get(q, se.Integer(0)) for q in engine.q]
