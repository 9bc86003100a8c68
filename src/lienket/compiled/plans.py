"""What each compiled function computes: blocks of numbers, one after another in `out`.

terms                   A (n x n), h (n), G (s x n), g0 (s)
motion                  accelerations (n), multipliers (s), and whether they can be trusted
residuals               position, velocity, acceleration (s each), 0 where a constraint has none; with inputs
reactions               G^T lambda of each constraint (n each), with inputs
surface                 A (n x n), G (s x n), position (s), velocity (s); 0 where a constraint has no such residual
position_correction     dq (n) with G dq = -position, the shortest in the metric of A; velocity_correction likewise
energy                  kinetic T, potential V, stored T2 - T0
balance                 stored E = T2 - T0 + V, its derivatives by q (n) and by v (n)
lagrangian              momenta p = dT/dv (n), forces Q + dT/dq (n), then as in surface
power                   what changes it: E' = power, with accelerations and multipliers as inputs; none if it is 0
outputs                 whatever the user asked for
derivatives             of A a - h - G^T lambda and of G a + g0, by q, v and t
parameter_derivatives   of the same by the parameters
surface_derivatives     of the position by t and the parameters, of the velocity by q, t and the parameters; 0 as above
output_derivatives      of the outputs by q, v, accelerations, multipliers, t and the parameters
numbers                 everything that a state shows and audits
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .derivative import gradient
from .elimination import eliminated, structure
from .mechanics import Mechanics, RowNodes
from .saddle import Saddle
from .sizes import sizes

LARGEST = 96
"""n + s up to which the elimination of a full matrix is emitted; beyond, it leaves the nearest memory, and LAPACK
takes over."""
SPARSE = 20_000
"""Operations up to which the elimination of a large sparse one is emitted."""


@dataclass(frozen=True)
class Block:
    """A named array of nodes, row by row."""

    name: str
    shape: tuple[int, ...]
    nodes: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """A function: its blocks and the comparisons that must hold for its numbers to be trusted.

    With `dense` the nodes are the entries of a matrix instead, and the blocks have none: they are solved for.
    """

    name: str
    blocks: tuple[Block, ...]
    conditions: tuple[int, ...] = ()
    dense: Saddle | None = None
    entries: tuple[tuple[int, int], ...] = ()

    def outputs(self) -> list[tuple[int, int]]:
        """(place, node) of everything to be stored."""
        if self.dense is not None:
            return list(self.entries)
        return list(enumerate(x for block in self.blocks for x in block.nodes))

    def roots(self) -> list[int]:
        """Every node it needs."""
        return [*(x for _, x in self.outputs()), *self.conditions]


def plan(mechanics: Mechanics, name: str) -> Plan | None:
    """The plan of a function; None for a motion that cannot be emitted."""
    return _PLANS[name](mechanics)


def straight_plan(mechanics: Mechanics, name: str) -> Plan | None:
    """The same with nothing but straight-line code, however long."""
    return _motion(mechanics, straight=True) if name == "motion" else plan(mechanics, name)


def _matrix(name: str, rows: Iterable[Iterable[int]], columns: int) -> Block:
    listed = [tuple(row) for row in rows]
    return Block(name, (len(listed), columns), tuple(x for row in listed for x in row))


def _vector(name: str, nodes: Iterable[int]) -> Block:
    listed = tuple(nodes)
    return Block(name, (len(listed),), listed)


def _system(m: Mechanics) -> tuple[Block, Block, Block, Block]:
    n = m.stated.n
    G = [row for rows in m.rows for row in rows.G]
    g0 = [x for rows in m.rows for x in rows.g0]
    return _matrix("A", m.A, n), _vector("h", m.h), _matrix("G", G, n), _vector("g0", g0)


def terms(m: Mechanics) -> Plan:
    """A, h, G, g0."""
    return Plan("terms", _system(m))


def _motion(m: Mechanics, straight: bool = False) -> Plan | None:
    g0 = [x for rows in m.rows for x in rows.g0]
    return _solved(m, ("motion", "accelerations", "multipliers"), m.h, g0, straight)


def _position_correction(m: Mechanics) -> Plan | None:
    residual = [x for rows in m.rows for x in rows.position or _zeros(m, rows)]
    return _correction(m, "position_correction", residual)


def _velocity_correction(m: Mechanics) -> Plan | None:
    residual = [x for rows in m.rows for x in rows.velocity or _zeros(m, rows)]
    return _correction(m, "velocity_correction", residual)


def _correction(m: Mechanics, name: str, residual: list[int]) -> Plan | None:
    """Rows that have no such residual take part with 0: what they forbid, a correction does not do either."""
    if all(x == m.graph.zero for x in residual):
        return None
    return _solved(m, (name, "correction", "pushes"), [m.graph.zero] * m.stated.n, residual)


def _zeros(m: Mechanics, rows: RowNodes) -> tuple[int, ...]:
    return (m.graph.zero,) * len(rows)


def _solved(
    m: Mechanics, names: tuple[str, str, str], h: list[int], g0: list[int], straight: bool = False
) -> Plan | None:
    """The solution of A x = h + G^T y, G x + g0 = 0 as a function; the names are its own, those of x and y."""
    n, s = m.stated.n, sum(len(rows) for rows in m.rows)
    if any(rows.nonlinear or rows.drives for rows in m.rows):
        return None
    G = [row for rows in m.rows for row in rows.G]
    order = structure(m.graph, m.A, G)
    dense = Saddle(n, s)
    if order is None or (n + s > LARGEST and order.operations > SPARSE):
        return None  # no order of pivots is sure, or nothing is gained
    name, x, y = names
    if straight or order.operations <= dense.operations:
        solution = eliminated(m.graph, m.A, h, G, g0, order)
        blocks = (_vector(x, solution.accelerations), _vector(y, solution.multipliers))
        return Plan(name, blocks, solution.conditions)
    empty = (Block(x, (n,), ()), Block(y, (s,), ()))
    return Plan(name, empty, (), dense, tuple(dense.entries(m.graph, m.A, h, G, g0)))


def _surface(m: Mechanics) -> Plan:
    A, _, G, _ = _system(m)
    position = [x for rows in m.rows for x in rows.position or _zeros(m, rows)]
    velocity = [x for rows in m.rows for x in rows.velocity or _zeros(m, rows)]
    return Plan("surface", (A, G, _vector("position", position), _vector("velocity", velocity)))


def _residuals(m: Mechanics) -> Plan:
    position = [x for rows in m.rows for x in rows.position or _zeros(m, rows)]
    velocity = [x for rows in m.rows for x in rows.velocity or _zeros(m, rows)]
    parts = (("position", position), ("velocity", velocity), ("acceleration", m.accelerated))
    return Plan("residuals", tuple(_vector(name, nodes) for name, nodes in parts))


def _reactions(m: Mechanics) -> Plan:
    return Plan("reactions", (_matrix("reactions", m.reactions, m.stated.n),))


def _lagrangian(m: Mechanics) -> Plan:
    forces = map(m.graph.add, m.Q, gradient(m.graph, m.kinetic, m.stated.q))
    return Plan("lagrangian", (_vector("momenta", m.momenta), _vector("forces", forces), *_surface(m).blocks))


def _energy(m: Mechanics) -> Plan:
    parts = (("kinetic", m.kinetic), ("potential", m.stated.potential), ("stored", m.stored))
    return Plan("energy", tuple(Block(name, (), (x,)) for name, x in parts))


def _balance(m: Mechanics) -> Plan:
    energy = m.graph.add(m.stored, m.stated.potential)
    by_q, by_v = gradient(m.graph, energy, m.stated.q), gradient(m.graph, energy, m.stated.v)
    return Plan("balance", (Block("stored", (), (energy,)), _vector("by_q", by_q), _vector("by_v", by_v)))


def _power(m: Mechanics) -> Plan | None:
    return None if m.power == m.graph.zero else Plan("power", (Block("power", (), (m.power,)),))


def _outputs(m: Mechanics) -> Plan:
    return Plan("outputs", (_vector("outputs", (x for _, x in m.stated.outputs)),))


def _derivatives(m: Mechanics) -> Plan:
    stated = m.stated
    n = stated.n
    rows = m.balance_derivatives((*stated.q, *stated.v, stated.t))
    by_t = [row[2 * n] for row in rows]
    by_q, by_v = [row[:n] for row in rows], [row[n : 2 * n] for row in rows]
    blocks = (_vector("balance", m.balance), _matrix("by_q", by_q, n), _matrix("by_v", by_v, n), _vector("by_t", by_t))
    return Plan("derivatives", blocks)


def _parameter_derivatives(m: Mechanics) -> Plan:
    parameters = m.stated.parameters
    by_parameters = m.balance_derivatives(parameters)
    return Plan("parameter_derivatives", (_matrix("by_parameters", by_parameters, len(parameters)),))


def _surface_derivatives(m: Mechanics) -> Plan:
    """By q the position changes with G, and by v the velocity; those are in `surface`."""
    stated, n, count = m.stated, m.stated.n, len(m.stated.parameters)
    position = [x for rows in m.rows for x in rows.position or _zeros(m, rows)]
    velocity = [x for rows in m.rows for x in rows.velocity or _zeros(m, rows)]
    by_time = [gradient(m.graph, x, (stated.t, *stated.parameters)) for x in position]
    by_all = [gradient(m.graph, x, (*stated.q, stated.t, *stated.parameters)) for x in velocity]
    blocks = (
        _vector("position_by_t", [row[0] for row in by_time]),
        _matrix("position_by_parameters", [row[1:] for row in by_time], count),
        _matrix("velocity_by_q", [row[:n] for row in by_all], n),
        _vector("velocity_by_t", [row[n] for row in by_all]),
        _matrix("velocity_by_parameters", [row[n + 1 :] for row in by_all], count),
    )
    return Plan("surface_derivatives", blocks)


def _output_derivatives(m: Mechanics) -> Plan:
    stated, graph = m.stated, m.graph
    groups = {"by_q": stated.q, "by_v": stated.v, "by_a": stated.a, "by_multipliers": stated.multipliers}
    groups |= {"by_t": (stated.t,), "by_parameters": stated.parameters}
    inputs = [x for group in groups.values() for x in group]
    rows, blocks, first = [gradient(graph, x, inputs) for _, x in stated.outputs], [], 0
    for name, group in groups.items():
        blocks.append(_matrix(name, [row[first : first + len(group)] for row in rows], len(group)))
        first += len(group)
    return Plan("output_derivatives", tuple(blocks))


def _numbers(m: Mechanics) -> Plan:
    n, graph = m.stated.n, m.graph
    blocks = [_matrix("A", m.A, n), _vector("h", m.h), _vector("Q", m.Q), _vector("storing", m.storing)]
    blocks.append(_vector("inertias", sizes(graph, [m.A[i][i] for i in range(n)])))
    for rows in m.rows:
        scales = [sizes(graph, part) or [graph.zero] * len(rows) for part in (rows.position, rows.velocity, rows.g0)]
        blocks += [_matrix("G", rows.G, n), _vector("g0", rows.g0)]
        blocks += [_vector("position", rows.position), _vector("velocity", rows.velocity)]
        blocks += [_matrix("sizes", scales, len(rows)), _matrix("drives", (E for _, E in rows.drives), n)]
    return Plan("numbers", tuple(blocks))


_PLANS: dict[str, Callable[[Mechanics], Plan | None]] = {
    "terms": terms,
    "motion": _motion,
    "surface": _surface,
    "residuals": _residuals,
    "reactions": _reactions,
    "position_correction": _position_correction,
    "velocity_correction": _velocity_correction,
    "energy": _energy,
    "balance": _balance,
    "lagrangian": _lagrangian,
    "power": _power,
    "outputs": _outputs,
    "derivatives": _derivatives,
    "parameter_derivatives": _parameter_derivatives,
    "surface_derivatives": _surface_derivatives,
    "output_derivatives": _output_derivatives,
    "numbers": _numbers,
}
