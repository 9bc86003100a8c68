"""Catalogue of the compiled functions: the blocks of numbers that each writes one after another to `out`.

terms                   A (n x n), h + forces of laws that do not depend on reactions (n), G (s x n), g0 (s)
loads                   data of friction and drives for the solution, see `non_ideal_loads`; absent for ideal systems
motion                  accelerations (n), multipliers (s); the return value is 0 where they are accurate, 2 where the
                        pivots passed their guard but digits may be lost (`digit_guard`), otherwise odd
residuals               position, velocity, acceleration (s each), 0 where a constraint has none; with inputs
reactions               G^T lambda + c of each constraint (n each), E u of each program; with inputs
exerted                 c or E u alone (n each); with inputs
normal_factors          normal force per multiplier of each constraint that is a contact, 1 for the others; the force
                        that holds a contact at rest per multiplier, 0 for the others
errors                  of programs that the motion may deviate from: positions, velocities, accelerations (m each)
surface                 A (n x n), G (s x n), position (s), velocity (s), the sizes of their terms (s each); 0 where a
                        constraint has no such residual
watched                 position (s), velocity (s), the sizes of their terms (s each), G (s x n)
position_correction     dq (n) with G dq = -position, the shortest in the metric of A; velocity_correction likewise
energy                  kinetic T, potential V, stored T2 - T0
balance                 stored E = T2 - T0 + V, its derivatives by q (n) and by v (n)
lagrangian              momenta p = dT/dv (n), forces Q + forces of laws + dT/dq (n), A, G, position, velocity
power                   E' of that stored energy, with accelerations and multipliers as inputs; absent if it is 0
outputs                 the user's output expressions
derivatives             of A a - h - G^T lambda and of G a + g0, by q, v and t
parameter_derivatives   of A a - h - G^T lambda and of G a + g0, by the parameters
surface_derivatives     of the position by t and the parameters, of the velocity by q, t and the parameters; 0 as above
output_derivatives      of the outputs by q, v, accelerations, multipliers, t and the parameters
numbers                 all quantities that `System.at` shows and audits
mechanism               wrenches and coordinates of joints, motion of bodies, efforts of elements; with inputs; absent
                        without bodies and joints

"with inputs": accelerations, multipliers and drives are arguments of the function.

"motion.0.1.4" is the function `motion` under the rows 0, 1 and 4 alone, for systems whose other rows are redundant; its
multipliers are those of all s rows, 0 in the rows left out. The corrections likewise.
"""

from __future__ import annotations

from collections.abc import Callable

from ..graph.derivative import gradient
from ..graph.term_sizes import term_sizes
from ..mechanics.equations import Mechanics, RowNodes
from ..mechanics.mechanism_results import mechanism_results
from ..mechanics.non_ideal_loads import Frictional, frictional, loads
from .digit_guard import digit_conditions, with_prescribed
from .friction_closure import close_friction
from .plan import Block, Plan, matrix, vector
from .saddle_elimination import eliminate, structure
from .saddle_layout import SaddleLayout

Rows = tuple[int, ...]

# Beyond, the matrix leaves the fastest cache, and LAPACK solves.
UNKNOWNS_FOR_DENSE_CODE = 96  # [rows] n + s up to which the elimination of a dense matrix is emitted
OPERATIONS_FOR_SPARSE_CODE = 20_000  # [1] operations up to which the elimination of a large sparse matrix is emitted


def plan(mechanics: Mechanics, name: str) -> Plan | None:
    """Return the plan of a function, or None if the system has no such function."""
    if "." not in name:
        return _PLANS[name](mechanics)
    whole, *rows = name.split(".")
    return _OF_ROWS[whole](mechanics, name, tuple(map(int, rows)))


def straight_plan(mechanics: Mechanics, name: str) -> Plan | None:
    """Return the plan of a function as straight-line code of any length, without the dense solver."""
    return _motion(mechanics, straight=True) if name == "motion" else plan(mechanics, name)


def _system(m: Mechanics) -> tuple[Block, Block, Block, Block]:
    """Return the blocks A, h, G, g0."""
    n = m.nodes.n
    G = [row for rows in m.rows for row in rows.G]
    g0 = [x for rows in m.rows for x in rows.g0]
    return matrix("A", m.A, n), vector("h", m.h_total), matrix("G", G, n), vector("g0", g0)


def terms(m: Mechanics) -> Plan:
    """Return the plan of A, h, G, g0."""
    return Plan("terms", _system(m))


def _motion(m: Mechanics, straight: bool = False) -> Plan | None:
    if m.nodes.drives:
        return None
    g0 = [x for rows in m.rows for x in rows.g0]
    return _saddle_solution(m, ("motion", "accelerations", "multipliers"), m.h_total, g0, straight, frictional(m))


def _motion_of_rows(m: Mechanics, name: str, rows: Rows) -> Plan | None:
    if m.nodes.drives:
        return None
    g0 = [x for part in m.rows for x in part.g0]
    return _saddle_solution(m, (name, "accelerations", "multipliers"), m.h_total, g0, True, frictional(m), rows)


def _position_correction(m: Mechanics, name: str = "position_correction", rows: Rows | None = None) -> Plan | None:
    return _correction(m, name, [x for part in m.rows for x in part.position or _zeros(m, part)], rows)


def _velocity_correction(m: Mechanics, name: str = "velocity_correction", rows: Rows | None = None) -> Plan | None:
    return _correction(m, name, [x for part in m.rows for x in part.velocity or _zeros(m, part)], rows)


def _correction(m: Mechanics, name: str, residual: list[int], rows: Rows | None) -> Plan | None:
    """Return the plan of a correction; rows without such a residual take part with residual 0."""
    if all(x == m.graph.zero for x in residual):
        return None
    names, h = (name, "correction", "pushes"), [m.graph.zero] * m.nodes.n
    return _saddle_solution(m, names, h, residual, rows is not None, rows=rows)


def _zeros(m: Mechanics, rows: RowNodes) -> tuple[int, ...]:
    """Return a node 0 for each row."""
    return (m.graph.zero,) * len(rows)


def _saddle_solution(
    m: Mechanics,
    names: tuple[str, str, str],
    h: list[int],
    g0: list[int],
    straight: bool = False,
    contacts: list[Frictional] | None = None,
    rows: Rows | None = None,
) -> Plan | None:
    """Return the plan of the solution of A x = h + G^T y, G x + g0 = 0, with the friction of the contacts, or None.

    `names` are those of the function, of x and of y; `rows` are the rows of G that take part, by default all.
    """
    n, s = m.nodes.n, sum(len(part) for part in m.rows)
    if any(part.nonlinear for part in m.rows):
        return None
    chosen = tuple(range(s)) if rows is None else rows
    G = [row for part in m.rows for row in part.G]
    G, g0 = [G[k] for k in chosen], [g0[k] for k in chosen]
    order = structure(m.graph, m.A, G)
    dense = SaddleLayout(n, s)
    if order is None or (n + s > UNKNOWNS_FOR_DENSE_CODE and order.operations > OPERATIONS_FOR_SPARSE_CODE):
        return None  # a pivot has no definite sign, or LAPACK is as fast
    name, x, y = names
    if (contacts or rows is not None) and order.operations > OPERATIONS_FOR_SPARSE_CODE:
        return None
    if straight or contacts or order.operations <= dense.operations:
        solution = eliminate(m.graph, m.A, h, G, g0, order, [c.direction for c in contacts or ()])
        if contacts:
            solution = close_friction(m.graph, solution, [(chosen.index(c.row), c.share) for c in contacts])
        digits: tuple[int, ...] = ()
        if name.split(".")[0] == "motion":
            solution = with_prescribed(m.graph, solution, G, g0)
            digits = digit_conditions(m.graph, solution, m.A)
        multipliers = [m.graph.zero] * s
        for k, node in zip(chosen, solution.multipliers, strict=True):
            multipliers[k] = node
        blocks = (vector(x, solution.accelerations), vector(y, multipliers))
        return Plan(name, blocks, solution.conditions, digits=digits)
    empty = (Block(x, (n,), ()), Block(y, (s,), ()))
    return Plan(name, empty, (), dense, tuple(dense.entries(m.graph, m.A, h, G, g0)))


def _surface(m: Mechanics) -> Plan:
    A, _, G, _ = _system(m)
    position = [x for rows in m.rows for x in rows.position or _zeros(m, rows)]
    velocity = [x for rows in m.rows for x in rows.velocity or _zeros(m, rows)]
    residuals = vector("position", position), vector("velocity", velocity)
    sizes = (vector(f"{block.name}_sizes", term_sizes(m.graph, block.nodes)) for block in residuals)
    return Plan("surface", (A, G, *residuals, *sizes))


def _watched(m: Mechanics) -> Plan:
    _, G, *residuals_and_sizes = _surface(m).blocks
    return Plan("watched", (*residuals_and_sizes, G))


def _residuals(m: Mechanics) -> Plan:
    position = [x for rows in m.rows for x in rows.position or _zeros(m, rows)]
    velocity = [x for rows in m.rows for x in rows.velocity or _zeros(m, rows)]
    parts = (("position", position), ("velocity", velocity), ("acceleration", m.acceleration_residuals))
    return Plan("residuals", tuple(vector(name, nodes) for name, nodes in parts))


def _reactions(m: Mechanics) -> Plan:
    return Plan("reactions", (matrix("reactions", m.reactions, m.nodes.n),))


def _exerted(m: Mechanics) -> Plan:
    return Plan("exerted", (matrix("exerted", m.exerted, m.nodes.n),))


def _normal_factors(m: Mechanics) -> Plan:
    factors, limits = ([getattr(c, name) for c in m.nodes.constraints] for name in ("normal", "limit"))
    return Plan("normal_factors", (vector("normal_factors", factors), vector("limits", limits)))


def _errors(m: Mechanics) -> Plan:
    parts = zip(
        ("position", "velocity"), ([r.position for r in m.followed], [r.velocity for r in m.followed]), strict=True
    )
    blocks = [
        vector(name, (x for rows, part in zip(m.followed, errors, strict=True) for x in part or _zeros(m, rows)))
        for name, errors in parts
    ]
    return Plan("errors", (*blocks, vector("acceleration", m.followed_accelerations)))


def _loads(m: Mechanics) -> Plan | None:
    blocks = loads(m)
    return None if blocks is None else Plan("loads", tuple(vector(name, nodes) for name, nodes in blocks))


def _lagrangian(m: Mechanics) -> Plan:
    forces = map(m.graph.add, m.Q_total, gradient(m.graph, m.kinetic, m.nodes.q))
    return Plan("lagrangian", (vector("momenta", m.momenta), vector("forces", forces), *_surface(m).blocks[:4]))


def _energy(m: Mechanics) -> Plan:
    parts = (("kinetic", m.kinetic), ("potential", m.nodes.potential), ("stored", m.stored))
    return Plan("energy", tuple(Block(name, (), (x,)) for name, x in parts))


def _balance(m: Mechanics) -> Plan:
    energy = m.graph.add(m.stored, m.nodes.potential)
    by_q, by_v = gradient(m.graph, energy, m.nodes.q), gradient(m.graph, energy, m.nodes.v)
    return Plan("balance", (Block("stored", (), (energy,)), vector("by_q", by_q), vector("by_v", by_v)))


def _power(m: Mechanics) -> Plan | None:
    return None if m.power == m.graph.zero else Plan("power", (Block("power", (), (m.power,)),))


def _outputs(m: Mechanics) -> Plan:
    return Plan("outputs", (vector("outputs", (x for _, x in m.nodes.outputs)),))


def _derivatives(m: Mechanics) -> Plan:
    nodes = m.nodes
    n = nodes.n
    rows = m.balance_derivatives((*nodes.q, *nodes.v, nodes.t))
    by_t = [row[2 * n] for row in rows]
    by_q, by_v = [row[:n] for row in rows], [row[n : 2 * n] for row in rows]
    blocks = (vector("balance", m.balance), matrix("by_q", by_q, n), matrix("by_v", by_v, n), vector("by_t", by_t))
    return Plan("derivatives", blocks)


def _parameter_derivatives(m: Mechanics) -> Plan:
    parameters = m.nodes.parameters
    by_parameters = m.balance_derivatives(parameters)
    return Plan("parameter_derivatives", (matrix("by_parameters", by_parameters, len(parameters)),))


def _surface_derivatives(m: Mechanics) -> Plan:
    """Return the plan of the derivatives except those of the position by q and of the velocity by v, which are G."""
    nodes, n, count = m.nodes, m.nodes.n, len(m.nodes.parameters)
    position = [x for rows in m.rows for x in rows.position or _zeros(m, rows)]
    velocity = [x for rows in m.rows for x in rows.velocity or _zeros(m, rows)]
    by_time = [gradient(m.graph, x, (nodes.t, *nodes.parameters)) for x in position]
    by_all = [gradient(m.graph, x, (*nodes.q, nodes.t, *nodes.parameters)) for x in velocity]
    blocks = (
        vector("position_by_t", [row[0] for row in by_time]),
        matrix("position_by_parameters", [row[1:] for row in by_time], count),
        matrix("velocity_by_q", [row[:n] for row in by_all], n),
        vector("velocity_by_t", [row[n] for row in by_all]),
        matrix("velocity_by_parameters", [row[n + 1 :] for row in by_all], count),
    )
    return Plan("surface_derivatives", blocks)


def _output_derivatives(m: Mechanics) -> Plan:
    nodes, graph = m.nodes, m.graph
    groups = {"by_q": nodes.q, "by_v": nodes.v, "by_a": nodes.a, "by_multipliers": nodes.multipliers}
    groups |= {"by_t": (nodes.t,), "by_parameters": nodes.parameters}
    inputs = [x for group in groups.values() for x in group]
    rows, blocks, first = [gradient(graph, x, inputs) for _, x in nodes.outputs], [], 0
    for name, group in groups.items():
        blocks.append(matrix(name, [row[first : first + len(group)] for row in rows], len(group)))
        first += len(group)
    return Plan("output_derivatives", tuple(blocks))


def _numbers(m: Mechanics) -> Plan:
    n, graph = m.nodes.n, m.graph
    blocks = [matrix("A", m.A, n), vector("h", m.h), vector("Q", m.Q), vector("storing", m.storing)]
    blocks.append(vector("inertias", term_sizes(graph, [m.A[i][i] for i in range(n)])))
    for rows in (*m.rows, *m.followed):
        scales = [
            term_sizes(graph, part) or [graph.zero] * len(rows) for part in (rows.position, rows.velocity, rows.g0)
        ]
        blocks += [matrix("G", rows.G, n), vector("g0", rows.g0)]
        blocks += [vector("position", rows.position), vector("velocity", rows.velocity)]
        blocks += [matrix("sizes", scales, len(rows)), matrix("drives", (E for _, E in rows.drives), n)]
    for c in (*m.nodes.constraints, *m.nodes.followed):
        blocks += [vector("push", c.push), vector("share", (c.share,)), vector("direction", c.direction)]
        blocks += [
            matrix("drive_limits", c.drive_limits, 3),
            vector("gains", c.gains),
            vector("normal", (c.normal, c.limit)),
        ]
    return Plan("numbers", tuple(blocks))


def _mechanism(m: Mechanics) -> Plan | None:
    blocks = mechanism_results(m)
    return (
        None if blocks is None else Plan("mechanism", tuple(matrix(name, rows, width) for name, rows, width in blocks))
    )


_OF_ROWS: dict[str, Callable[[Mechanics, str, Rows], Plan | None]] = {
    "motion": _motion_of_rows,
    "position_correction": _position_correction,
    "velocity_correction": _velocity_correction,
}

_PLANS: dict[str, Callable[[Mechanics], Plan | None]] = {
    "terms": terms,
    "loads": _loads,
    "exerted": _exerted,
    "normal_factors": _normal_factors,
    "errors": _errors,
    "motion": _motion,
    "surface": _surface,
    "watched": _watched,
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
    "mechanism": _mechanism,
}
