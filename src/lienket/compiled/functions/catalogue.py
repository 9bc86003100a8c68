"""What each compiled function computes: blocks of numbers, one after another in `out`.

terms                   A (n x n), h with what laws push (n), G (s x n), g0 (s)
loads                   what friction and drives need for the accelerations, see `non_ideal_loads`; none without them
motion                  accelerations (n), multipliers (s), and whether they can be trusted
residuals               position, velocity, acceleration (s each), 0 where a constraint has none; with inputs
reactions               G^T lambda + c of each constraint (n each), E u of each program, with inputs
exerted                 c or E u alone (n each), with inputs
errors                  of the programs that a motion may be off: positions, velocities, accelerations (m each)
surface                 A (n x n), G (s x n), position (s), velocity (s); 0 where a constraint has no such residual
position_correction     dq (n) with G dq = -position, the shortest in the metric of A; velocity_correction likewise
energy                  kinetic T, potential V, stored T2 - T0
balance                 stored E = T2 - T0 + V, its derivatives by q (n) and by v (n)
lagrangian              momenta p = dT/dv (n), forces Q + pushes + dT/dq (n), then as in surface
power                   what changes it: E' = power, with accelerations and multipliers as inputs; none if it is 0
outputs                 whatever the user asked for
derivatives             of A a - h - G^T lambda and of G a + g0, by q, v and t
parameter_derivatives   of the same by the parameters
surface_derivatives     of the position by t and the parameters, of the velocity by q, t and the parameters; 0 as above
output_derivatives      of the outputs by q, v, accelerations, multipliers, t and the parameters
numbers                 everything that a state shows and audits
"""

from __future__ import annotations

from collections.abc import Callable

from ..graph.derivative import gradient
from ..graph.term_sizes import term_sizes
from ..mechanics.equations import Mechanics, RowNodes
from ..mechanics.non_ideal_loads import Frictional, frictional, loads
from .friction_closure import close_friction
from .plan import Block, Plan, matrix, vector
from .saddle_elimination import eliminate, structure
from .saddle_layout import SaddleLayout

LARGEST = 96
"""n + s up to which the elimination of a full matrix is emitted; beyond, it leaves the nearest memory, and LAPACK
takes over."""
SPARSE = 20_000
"""Operations up to which the elimination of a large sparse one is emitted."""


def plan(mechanics: Mechanics, name: str) -> Plan | None:
    """The plan of a function; None for a motion that cannot be emitted."""
    return _PLANS[name](mechanics)


def straight_plan(mechanics: Mechanics, name: str) -> Plan | None:
    """The same with nothing but straight-line code, however long."""
    return _motion(mechanics, straight=True) if name == "motion" else plan(mechanics, name)


def _system(m: Mechanics) -> tuple[Block, Block, Block, Block]:
    n = m.stated.n
    G = [row for rows in m.rows for row in rows.G]
    g0 = [x for rows in m.rows for x in rows.g0]
    return matrix("A", m.A, n), vector("h", m.loaded), matrix("G", G, n), vector("g0", g0)


def terms(m: Mechanics) -> Plan:
    """A, h, G, g0."""
    return Plan("terms", _system(m))


def _motion(m: Mechanics, straight: bool = False) -> Plan | None:
    if m.stated.drives:
        return None
    g0 = [x for rows in m.rows for x in rows.g0]
    return _solved(m, ("motion", "accelerations", "multipliers"), m.loaded, g0, straight, frictional(m))


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
    m: Mechanics,
    names: tuple[str, str, str],
    h: list[int],
    g0: list[int],
    straight: bool = False,
    contacts: list[Frictional] | None = None,
) -> Plan | None:
    """The solution of A x = h + G^T y, G x + g0 = 0 as a function; the names are its own, those of x and y.

    With contacts their friction is in it.
    """
    n, s = m.stated.n, sum(len(rows) for rows in m.rows)
    if any(rows.nonlinear for rows in m.rows):
        return None
    G = [row for rows in m.rows for row in rows.G]
    order = structure(m.graph, m.A, G)
    dense = SaddleLayout(n, s)
    if order is None or (n + s > LARGEST and order.operations > SPARSE):
        return None  # no order of pivots is sure, or nothing is gained
    name, x, y = names
    if contacts and order.operations > SPARSE:
        return None
    if straight or contacts or order.operations <= dense.operations:
        solution = eliminate(m.graph, m.A, h, G, g0, order, [c.direction for c in contacts or ()])
        if contacts:
            solution = close_friction(m.graph, solution, [(c.row, c.share) for c in contacts])
        blocks = (vector(x, solution.accelerations), vector(y, solution.multipliers))
        return Plan(name, blocks, solution.conditions)
    empty = (Block(x, (n,), ()), Block(y, (s,), ()))
    return Plan(name, empty, (), dense, tuple(dense.entries(m.graph, m.A, h, G, g0)))


def _surface(m: Mechanics) -> Plan:
    A, _, G, _ = _system(m)
    position = [x for rows in m.rows for x in rows.position or _zeros(m, rows)]
    velocity = [x for rows in m.rows for x in rows.velocity or _zeros(m, rows)]
    return Plan("surface", (A, G, vector("position", position), vector("velocity", velocity)))


def _residuals(m: Mechanics) -> Plan:
    position = [x for rows in m.rows for x in rows.position or _zeros(m, rows)]
    velocity = [x for rows in m.rows for x in rows.velocity or _zeros(m, rows)]
    parts = (("position", position), ("velocity", velocity), ("acceleration", m.accelerated))
    return Plan("residuals", tuple(vector(name, nodes) for name, nodes in parts))


def _reactions(m: Mechanics) -> Plan:
    return Plan("reactions", (matrix("reactions", m.reactions, m.stated.n),))


def _exerted(m: Mechanics) -> Plan:
    return Plan("exerted", (matrix("exerted", m.exerted, m.stated.n),))


def _errors(m: Mechanics) -> Plan:
    parts = zip(
        ("position", "velocity"), ([r.position for r in m.followed], [r.velocity for r in m.followed]), strict=True
    )
    blocks = [
        vector(name, (x for rows, own in zip(m.followed, found, strict=True) for x in own or _zeros(m, rows)))
        for name, found in parts
    ]
    return Plan("errors", (*blocks, vector("acceleration", m.followed_accelerations)))


def _loads(m: Mechanics) -> Plan | None:
    found = loads(m)
    return None if found is None else Plan("loads", tuple(vector(name, nodes) for name, nodes in found))


def _lagrangian(m: Mechanics) -> Plan:
    forces = map(m.graph.add, m.applied, gradient(m.graph, m.kinetic, m.stated.q))
    return Plan("lagrangian", (vector("momenta", m.momenta), vector("forces", forces), *_surface(m).blocks))


def _energy(m: Mechanics) -> Plan:
    parts = (("kinetic", m.kinetic), ("potential", m.stated.potential), ("stored", m.stored))
    return Plan("energy", tuple(Block(name, (), (x,)) for name, x in parts))


def _balance(m: Mechanics) -> Plan:
    energy = m.graph.add(m.stored, m.stated.potential)
    by_q, by_v = gradient(m.graph, energy, m.stated.q), gradient(m.graph, energy, m.stated.v)
    return Plan("balance", (Block("stored", (), (energy,)), vector("by_q", by_q), vector("by_v", by_v)))


def _power(m: Mechanics) -> Plan | None:
    return None if m.power == m.graph.zero else Plan("power", (Block("power", (), (m.power,)),))


def _outputs(m: Mechanics) -> Plan:
    return Plan("outputs", (vector("outputs", (x for _, x in m.stated.outputs)),))


def _derivatives(m: Mechanics) -> Plan:
    stated = m.stated
    n = stated.n
    rows = m.balance_derivatives((*stated.q, *stated.v, stated.t))
    by_t = [row[2 * n] for row in rows]
    by_q, by_v = [row[:n] for row in rows], [row[n : 2 * n] for row in rows]
    blocks = (vector("balance", m.balance), matrix("by_q", by_q, n), matrix("by_v", by_v, n), vector("by_t", by_t))
    return Plan("derivatives", blocks)


def _parameter_derivatives(m: Mechanics) -> Plan:
    parameters = m.stated.parameters
    by_parameters = m.balance_derivatives(parameters)
    return Plan("parameter_derivatives", (matrix("by_parameters", by_parameters, len(parameters)),))


def _surface_derivatives(m: Mechanics) -> Plan:
    """By q the position changes with G, and by v the velocity; those are in `surface`."""
    stated, n, count = m.stated, m.stated.n, len(m.stated.parameters)
    position = [x for rows in m.rows for x in rows.position or _zeros(m, rows)]
    velocity = [x for rows in m.rows for x in rows.velocity or _zeros(m, rows)]
    by_time = [gradient(m.graph, x, (stated.t, *stated.parameters)) for x in position]
    by_all = [gradient(m.graph, x, (*stated.q, stated.t, *stated.parameters)) for x in velocity]
    blocks = (
        vector("position_by_t", [row[0] for row in by_time]),
        matrix("position_by_parameters", [row[1:] for row in by_time], count),
        matrix("velocity_by_q", [row[:n] for row in by_all], n),
        vector("velocity_by_t", [row[n] for row in by_all]),
        matrix("velocity_by_parameters", [row[n + 1 :] for row in by_all], count),
    )
    return Plan("surface_derivatives", blocks)


def _output_derivatives(m: Mechanics) -> Plan:
    stated, graph = m.stated, m.graph
    groups = {"by_q": stated.q, "by_v": stated.v, "by_a": stated.a, "by_multipliers": stated.multipliers}
    groups |= {"by_t": (stated.t,), "by_parameters": stated.parameters}
    inputs = [x for group in groups.values() for x in group]
    rows, blocks, first = [gradient(graph, x, inputs) for _, x in stated.outputs], [], 0
    for name, group in groups.items():
        blocks.append(matrix(name, [row[first : first + len(group)] for row in rows], len(group)))
        first += len(group)
    return Plan("output_derivatives", tuple(blocks))


def _numbers(m: Mechanics) -> Plan:
    n, graph = m.stated.n, m.graph
    blocks = [matrix("A", m.A, n), vector("h", m.h), vector("Q", m.Q), vector("storing", m.storing)]
    blocks.append(vector("inertias", term_sizes(graph, [m.A[i][i] for i in range(n)])))
    for rows in (*m.rows, *m.followed):
        scales = [
            term_sizes(graph, part) or [graph.zero] * len(rows) for part in (rows.position, rows.velocity, rows.g0)
        ]
        blocks += [matrix("G", rows.G, n), vector("g0", rows.g0)]
        blocks += [vector("position", rows.position), vector("velocity", rows.velocity)]
        blocks += [matrix("sizes", scales, len(rows)), matrix("drives", (E for _, E in rows.drives), n)]
    for c in (*m.stated.constraints, *m.stated.followed):
        blocks += [vector("push", c.push), vector("share", (c.share,)), vector("direction", c.direction)]
        blocks += [matrix("following", c.following, 3), vector("gains", c.gains)]
    return Plan("numbers", tuple(blocks))


_PLANS: dict[str, Callable[[Mechanics], Plan | None]] = {
    "terms": terms,
    "loads": _loads,
    "exerted": _exerted,
    "errors": _errors,
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
