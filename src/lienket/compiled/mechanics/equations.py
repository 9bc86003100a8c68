"""Lagrange's equations and the rows of constraints, derived on the graph (theory 2 and 3).

    p = dT/dq'        A = dp/dq'        h = Q + dT/dq - (dp/dq) q' - dp/dt        G q'' + g0 = 0

free_system/ and constraints/ derive these equations as algebra; here they are derived for numbers: nothing is expanded,
and common subexpressions are computed once.
"""

from __future__ import annotations

from functools import cached_property

from ...foundation.frozen_dataclass import dataclass
from ..graph.derivative import forward, gradient, reverse
from .statement_nodes import ConstraintNodes, StatementNodes
from .sum_of_squares import as_squares

Nodes = list[int]


@dataclass(frozen=True)
class RowNodes:
    """Rows of a constraint on the graph: G (s x n), g0 (s) and its residuals, empty where the kind has none.

    `nonlinear`: G and g0 depend on q'' and linearize the constraint at an iterate: G = dpsi/dq'', g0 = psi - G q''.
    """

    name: str
    kind: str
    level: int
    G: tuple[tuple[int, ...], ...]
    g0: tuple[int, ...]
    position: tuple[int, ...]
    velocity: tuple[int, ...]
    drives: tuple[tuple[str, tuple[int, ...]], ...]
    nonlinear: bool

    def __len__(self) -> int:
        return len(self.g0)


class Mechanics:
    """Equations of a statement as nodes of its graph; each is derived at its first use."""

    def __init__(self, nodes: StatementNodes) -> None:
        self.nodes = nodes
        self.graph = nodes.graph

    # The free system

    @cached_property
    def kinetic(self) -> int:
        """Kinetic energy T."""
        if self.nodes.kinetic is not None:
            return self.nodes.kinetic
        pairs = zip(self.momenta, self.nodes.v, strict=True)
        return self.graph.scale(0.5, self.graph.sum(self.graph.product(p, v) for p, v in pairs))

    @cached_property
    def momenta(self) -> Nodes:
        """Momenta p = dT/dq' (n)."""
        graph, v = self.graph, self.nodes.v
        if self.nodes.inertia is not None:
            return [graph.sum(map(graph.product, row, v)) for row in self.nodes.inertia]
        return gradient(graph, self.kinetic, v)

    @cached_property
    def A(self) -> list[tuple[int, ...]]:
        """Inertia matrix (n x n)."""
        if self.nodes.inertia is not None:
            return list(self.nodes.inertia)
        if self.nodes.mechanism is not None:
            return self.nodes.mechanism.A
        hessian = self._hessian(self.momenta)
        velocities = sum(self.graph.depends[v] for v in self.nodes.v)
        if any(self.graph.depends[x] & velocities for row in hessian for x in row):
            # T is quadratic only when expanded; otherwise A would contain velocities, up to rounding without effect.
            hessian = self._hessian(gradient(self.graph, self.nodes.expanded(), self.nodes.v))
        return hessian

    def _hessian(self, momenta: Nodes) -> list[tuple[int, ...]]:
        """Return the symmetric matrix dp/dq' (n x n)."""
        n, graph = self.nodes.n, self.graph
        A = [[graph.zero] * n for _ in range(n)]
        for j, v in enumerate(self.nodes.v):
            for i, entry in enumerate(forward(graph, momenta[j:], {v: graph.one}), start=j):
                A[i][j] = A[j][i] = entry
        return [tuple(row) for row in A]

    @cached_property
    def Q(self) -> Nodes:
        """Generalized applied forces Q = forces - dV/dq - dR/dq' + sum (dr/dq)^T F (n)."""
        if self.nodes.mechanism is not None:
            return self.nodes.mechanism.Q
        graph, nodes = self.graph, self.nodes
        minus = graph.constant(-1.0)
        conservative = reverse(graph, [(nodes.potential, minus), *nodes.points], nodes.q)
        dissipative = reverse(graph, [(nodes.dissipation, minus)], nodes.v)
        return [graph.sum(parts) for parts in zip(nodes.forces, conservative, dissipative, strict=True)]

    @cached_property
    def h(self) -> Nodes:
        """Right side h = Q + dT/dq - (dp/dq) q' - dp/dt (n)."""
        if self.nodes.mechanism is not None:
            return self.nodes.mechanism.h
        return list(map(self.graph.subtract, self.Q, self._inertia(accelerations=False)))

    def _inertia(self, accelerations: bool) -> Nodes:
        """Return the left side d(dT/dq')/dt - dT/dq of Lagrange's equations (n), with or without the terms in q''."""
        graph, nodes = self.graph, self.nodes
        if nodes.mechanism is not None:
            return nodes.mechanism.inertial(nodes.a if accelerations else None)
        squares, rest = self._squares
        rates = self.rate([e for e, _ in squares], accelerations)
        weighted = [(e, graph.product(graph.scale(2.0, w), r)) for (e, w), r in zip(squares, rates, strict=True)]
        of_squares = reverse(graph, weighted, nodes.v)
        momentum_rate = self.rate(gradient(graph, rest, nodes.v), accelerations)
        by_q = gradient(graph, rest, nodes.q)
        return [graph.subtract(graph.add(x, p), T) for x, p, T in zip(of_squares, momentum_rate, by_q, strict=True)]

    @cached_property
    def _squares(self) -> tuple[list[tuple[int, int]], int]:
        """Squares (e_k, w_k) in the kinetic energy and the rest of it, see `sum_of_squares`."""
        return as_squares(self.nodes, self.kinetic)

    def rate(self, functions: Nodes | tuple[int, ...], accelerations: bool = False) -> Nodes:
        """Return the time derivatives f_q q' + f_t of functions of q, q', t; with `accelerations` also + f_q' q''."""
        nodes = self.nodes
        direction = {nodes.t: self.graph.one, **dict(zip(nodes.q, nodes.v, strict=True))}
        if accelerations:
            direction |= dict(zip(nodes.v, nodes.a, strict=True))
        return forward(self.graph, functions, direction)

    @cached_property
    def h_total(self) -> Nodes:
        """Right side h plus the forces of laws that do not depend on reactions (n)."""
        return self._with_pushes(self.h)

    @cached_property
    def Q_total(self) -> Nodes:
        """Generalized applied forces Q plus the forces of laws that do not depend on reactions (n)."""
        return self._with_pushes(self.Q)

    def _with_pushes(self, forces: Nodes) -> Nodes:
        """Return the forces plus the forces of laws that do not depend on reactions."""
        pushes = [c.push for c in self.nodes.constraints if c.push]
        return [self.graph.sum(parts) for parts in zip(forces, *pushes, strict=True)] if pushes else forces

    @cached_property
    def stored(self) -> int:
        """Energy stored in motion, T2 - T0 = p q' - T."""
        pairs = zip(self.momenta, self.nodes.v, strict=True)
        work = self.graph.sum(self.graph.product(p, v) for p, v in pairs)
        return self.graph.subtract(work, self.kinetic)

    @cached_property
    def storing(self) -> Nodes:
        """Coefficients (n + 1) of q' and 1 in d(T2 - T0)/dt + dT/dt (explicit) - q'^T A q''."""
        nodes = self.nodes
        coefficients = gradient(self.graph, self.stored, [*nodes.q, nodes.t])
        coefficients[-1] = self.graph.add(coefficients[-1], gradient(self.graph, self.kinetic, [nodes.t])[0])
        return coefficients

    # The constraints

    @cached_property
    def rows(self) -> list[RowNodes]:
        """Rows G q'' + g0 = 0 of every constraint that holds at all times."""
        return [self._row(constraint) for constraint in self.nodes.constraints]

    @cached_property
    def followed(self) -> list[RowNodes]:
        """Rows G q'' + g0 of the programs that the motion may deviate from, without feedback of their errors."""
        return [self._row(program) for program in self.nodes.followed]

    def _row(self, c: ConstraintNodes) -> RowNodes:
        """Return the rows of a constraint, differentiated by time to accelerations."""
        graph, nodes = self.graph, self.nodes
        highest = (nodes.q, nodes.v, nodes.a)[c.level]
        G = tuple(tuple(gradient(graph, e, highest)) for e in c.expressions)
        position = c.expressions if c.level == 0 else ()
        velocity = tuple(self.rate(position)) if c.level == 0 else c.expressions if c.level == 1 else ()
        nonlinear = False
        if c.level < 2:
            g0 = tuple(self.rate(velocity))
        else:
            bits = sum(graph.depends[x] for x in nodes.a)
            nonlinear = any(graph.depends[x] & bits for row in G for x in row)
            if nonlinear:
                linear = [graph.sum(map(graph.product, row, nodes.a)) for row in G]
                g0 = tuple(map(graph.subtract, c.expressions, linear))
            else:
                g0 = tuple(graph.substitute(c.expressions, dict.fromkeys(nodes.a, graph.zero)))
        return RowNodes(c.name, c.kind, c.level, G, g0, position, velocity, c.drives, nonlinear)

    @cached_property
    def power(self) -> int:
        """Power (T2 - T0 + V)' = q'^T Q_n + sum lambda G q' + dV/dt - dT/dt (explicit).

        Q_n are the forces without a potential. A row contributes where its velocity equation does not make G q' vanish.
        Accelerations and multipliers are inputs.
        """
        graph, nodes = self.graph, self.nodes
        at_points = reverse(graph, nodes.points, nodes.q)
        dissipative = reverse(graph, [(nodes.dissipation, graph.constant(-1.0))], nodes.v)
        forces = [graph.sum(parts) for parts in zip(nodes.forces, at_points, dissipative, strict=True)]
        terms = list(map(graph.product, forces, nodes.v))
        terms += map(graph.product, nodes.multipliers, (x for rows in self.rows for x in self._row_speeds(rows)))
        terms += [graph.product(x, v) for c in self.exerted for x, v in zip(c, nodes.v, strict=True)]
        energy = graph.subtract(nodes.potential, self.kinetic)
        return graph.sum([*terms, *gradient(graph, energy, [nodes.t])])

    def _row_speeds(self, rows: RowNodes) -> Nodes:
        """Return G q' of each row in the form that its velocity equation gives, 0 for a program."""
        graph, nodes = self.graph, self.nodes
        if rows.kind == "program":
            return [graph.zero] * len(rows)  # its drives do the work, not its multipliers
        speeds = [graph.sum(map(graph.product, row, nodes.v)) for row in rows.G]
        if rows.level == 0:  # G q' + dg/dt = 0
            return [graph.scale(-1.0, gradient(graph, x, [nodes.t])[0]) for x in rows.position]
        velocities = sum(graph.depends[x] for x in nodes.v)
        if rows.level == 1 and not any(graph.depends[x] & velocities for row in rows.G for x in row):  # G q' + c = 0
            return [graph.scale(-1.0, c) for c in graph.substitute(rows.velocity, dict.fromkeys(nodes.v, graph.zero))]
        return speeds

    # Residuals and reactions for implicit methods, linearization and sensitivities

    @cached_property
    def reactions(self) -> list[Nodes]:
        """Reaction of each constraint, G^T lambda + c, or E u of a program (n each); a, lambda and u are inputs.

        Programs that the motion may deviate from come last.
        """
        graph, nodes = self.graph, self.nodes
        multipliers, reactions = iter(nodes.multipliers), []
        for c, extra in zip(nodes.constraints, self.exerted, strict=False):
            weighted = [(e, next(multipliers)) for e in c.expressions]
            ideal = reverse(graph, [] if c.kind == "program" else weighted, (nodes.q, nodes.v, nodes.a)[c.level])
            reactions.append([graph.add(x, y) for x, y in zip(ideal, extra, strict=True)] if any(extra) else ideal)
        return reactions + self.exerted[len(reactions) :]

    @cached_property
    def exerted(self) -> list[Nodes]:
        """Non-ideal part of each reaction (n each): c of the law of a constraint, E u of the drives of a program."""
        graph, nodes = self.graph, self.nodes
        drives, first, forces = iter(nodes.drives), 0, []
        for c in (*nodes.constraints, *nodes.followed):
            columns = [(next(drives), column) for _, column in c.drives]
            columns += [(graph.product(c.share, nodes.multipliers[first]), c.direction)] if c.direction else []
            columns += [(graph.one, c.push)] if c.push else []
            first += len(c)
            forces.append([graph.sum(graph.product(w, x[i]) for w, x in columns) for i in range(nodes.n)])
        return forces

    @cached_property
    def acceleration_residuals(self) -> Nodes:
        """Acceleration residuals G a + g0 of every row (s), with a as input."""
        return [x for c in self.nodes.constraints for x in self._acceleration_residual(c)]

    @cached_property
    def followed_accelerations(self) -> Nodes:
        """Acceleration errors G a + g0 of the programs that the motion may deviate from, with a as input."""
        return [x for c in self.nodes.followed for x in self._acceleration_residual(c)]

    @cached_property
    def balance(self) -> Nodes:
        """Residuals A a - h - r (n) and G a + g0 (s), with a, lambda and u as inputs; r is the sum of all reactions."""
        graph = self.graph
        forces = [graph.sum(parts) for parts in zip(self.Q, *self.reactions, strict=True)]
        return [*map(graph.subtract, self._inertia(accelerations=True), forces), *self.acceleration_residuals]

    def _acceleration_residual(self, c: ConstraintNodes) -> Nodes:
        """Return the constraint differentiated by time to accelerations, G a + g0."""
        if c.level == 2:
            return list(c.expressions)
        velocity = self.rate(c.expressions) if c.level == 0 else list(c.expressions)
        return self.rate(velocity, accelerations=True)

    def balance_derivatives(self, inputs: tuple[int, ...]) -> list[Nodes]:
        """Return the derivatives of `balance` by the inputs, n + s rows."""
        return [gradient(self.graph, x, inputs) for x in self.balance]
