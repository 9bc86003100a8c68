"""Lagrange's equations and the rows of constraints, derived on the graph (theory 2 and 3).

    p = dT/dq'        A = dp/dq'        h = Q + dT/dq - (dp/dq) q' - dp/dt        G q'' + g0 = 0

The same as free_system/ and constraints/ give as algebra, for numbers: nothing is multiplied out, and what the
formulas share is computed once.
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
    """The rows of a constraint on the graph: G (s x n), g0 (s) and its residuals, empty where the kind has none.

    `nonlinear`: q'' stands in G and g0, which hold at an iterate: G = dpsi/dq'', g0 = psi - G q''.
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
    """Everything that follows from a statement, as nodes of its graph; each is derived when first asked for."""

    def __init__(self, stated: StatementNodes) -> None:
        self.stated = stated
        self.graph = stated.graph

    # The free system

    @cached_property
    def kinetic(self) -> int:
        """The kinetic energy T."""
        if self.stated.kinetic is not None:
            return self.stated.kinetic
        pairs = zip(self.momenta, self.stated.v, strict=True)
        return self.graph.scale(0.5, self.graph.sum(self.graph.product(p, v) for p, v in pairs))

    @cached_property
    def momenta(self) -> Nodes:
        """The momenta p = dT/dq', n."""
        graph, v = self.graph, self.stated.v
        if self.stated.inertia is not None:
            return [graph.sum(map(graph.product, row, v)) for row in self.stated.inertia]
        return gradient(graph, self.kinetic, v)

    @cached_property
    def A(self) -> list[tuple[int, ...]]:
        """The inertia matrix, n x n."""
        if self.stated.inertia is not None:
            return list(self.stated.inertia)
        found = self._hessian(self.momenta)
        moving = sum(self.graph.depends[v] for v in self.stated.v)
        if any(self.graph.depends[x] & moving for row in found for x in row):
            # T is quadratic only when multiplied out; what is left of the velocities would be rounding.
            found = self._hessian(gradient(self.graph, self.stated.expanded(), self.stated.v))
        return found

    def _hessian(self, momenta: Nodes) -> list[tuple[int, ...]]:
        n, graph = self.stated.n, self.graph
        A = [[graph.zero] * n for _ in range(n)]
        for j, v in enumerate(self.stated.v):
            for i, entry in enumerate(forward(graph, momenta[j:], {v: graph.one}), start=j):
                A[i][j] = A[j][i] = entry
        return [tuple(row) for row in A]

    @cached_property
    def Q(self) -> Nodes:
        """The forces of everything applied, Q = forces - dV/dq - dR/dq' + sum (dr/dq)^T F, n."""
        graph, stated = self.graph, self.stated
        minus = graph.constant(-1.0)
        pulled = reverse(graph, [(stated.potential, minus), *stated.points], stated.q)
        braked = reverse(graph, [(stated.dissipation, minus)], stated.v)
        return [graph.sum(parts) for parts in zip(stated.forces, pulled, braked, strict=True)]

    @cached_property
    def h(self) -> Nodes:
        """The right side h = Q + dT/dq - (dp/dq) q' - dp/dt, n."""
        return list(map(self.graph.subtract, self.Q, self._inertia(accelerations=False)))

    def _inertia(self, accelerations: bool) -> Nodes:
        """The left side d(dT/dq')/dt - dT/dq of Lagrange's equations, n; with q'' or without."""
        graph, stated = self.graph, self.stated
        squares, rest = self._squares
        rates = self.rate([e for e, _ in squares], accelerations)
        weighted = [(e, graph.product(graph.scale(2.0, w), r)) for (e, w), r in zip(squares, rates, strict=True)]
        pushed = reverse(graph, weighted, stated.v)
        momentum = self.rate(gradient(graph, rest, stated.v), accelerations)
        driven = gradient(graph, rest, stated.q)
        return [graph.subtract(graph.add(x, p), T) for x, p, T in zip(pushed, momentum, driven, strict=True)]

    @cached_property
    def _squares(self) -> tuple[list[tuple[int, int]], int]:
        return as_squares(self.stated, self.kinetic)

    def rate(self, nodes: Nodes | tuple[int, ...], accelerations: bool = False) -> Nodes:
        """The time derivative f_q q' + f_t, and + f_q' q'' if asked for, of functions of q, q', t."""
        stated = self.stated
        direction = {stated.t: self.graph.one, **dict(zip(stated.q, stated.v, strict=True))}
        if accelerations:
            direction |= dict(zip(stated.v, stated.a, strict=True))
        return forward(self.graph, nodes, direction)

    @cached_property
    def loaded(self) -> Nodes:
        """The right side with what constraints push whatever their reactions: h + sum of the pushes, n."""
        return self._pushed(self.h)

    @cached_property
    def applied(self) -> Nodes:
        """The forces of everything applied, with the same, n."""
        return self._pushed(self.Q)

    def _pushed(self, forces: Nodes) -> Nodes:
        pushes = [c.push for c in self.stated.constraints if c.push]
        return [self.graph.sum(parts) for parts in zip(forces, *pushes, strict=True)] if pushes else forces

    @cached_property
    def stored(self) -> int:
        """T2 - T0 = p q' - T, the energy stored in motion."""
        pairs = zip(self.momenta, self.stated.v, strict=True)
        work = self.graph.sum(self.graph.product(p, v) for p, v in pairs)
        return self.graph.subtract(work, self.kinetic)

    @cached_property
    def storing(self) -> Nodes:
        """The factors of q' and 1 that give d(T2 - T0)/dt + dT/dt (explicit) beside q'^T A q''; n + 1."""
        stated = self.stated
        found = gradient(self.graph, self.stored, [*stated.q, stated.t])
        found[-1] = self.graph.add(found[-1], gradient(self.graph, self.kinetic, [stated.t])[0])
        return found

    # The constraints

    @cached_property
    def rows(self) -> list[RowNodes]:
        """Every constraint with rows in the equations as G q'' + g0 = 0."""
        return [self._row(constraint) for constraint in self.stated.constraints]

    @cached_property
    def followed(self) -> list[RowNodes]:
        """The same of the programs that a motion may be off; feedback of their errors not included."""
        return [self._row(program) for program in self.stated.followed]

    def _row(self, c: ConstraintNodes) -> RowNodes:
        graph, stated = self.graph, self.stated
        highest = (stated.q, stated.v, stated.a)[c.level]
        G = tuple(tuple(gradient(graph, e, highest)) for e in c.expressions)
        position = c.expressions if c.level == 0 else ()
        velocity = tuple(self.rate(position)) if c.level == 0 else c.expressions if c.level == 1 else ()
        nonlinear = False
        if c.level < 2:
            g0 = tuple(self.rate(velocity))
        else:
            bits = sum(graph.depends[x] for x in stated.a)
            nonlinear = any(graph.depends[x] & bits for row in G for x in row)
            if nonlinear:
                moved = [graph.sum(map(graph.product, row, stated.a)) for row in G]
                g0 = tuple(map(graph.subtract, c.expressions, moved))
            else:
                g0 = tuple(graph.replaced(c.expressions, dict.fromkeys(stated.a, graph.zero)))
        return RowNodes(c.name, c.kind, c.level, G, g0, position, velocity, c.drives, nonlinear)

    @cached_property
    def power(self) -> int:
        """What changes the energy: (T2 - T0 + V)' = q'^T Q_n + sum lambda G q' + dV/dt - dT/dt (explicit).

        Q_n are the forces that have no potential. A row takes part where G q' does not vanish by its own velocity
        equation. Accelerations and multipliers are inputs.
        """
        graph, stated = self.graph, self.stated
        pushed = reverse(graph, stated.points, stated.q)
        braked = reverse(graph, [(stated.dissipation, graph.constant(-1.0))], stated.v)
        forces = [graph.sum(parts) for parts in zip(stated.forces, pushed, braked, strict=True)]
        terms = list(map(graph.product, forces, stated.v))
        terms += map(graph.product, stated.multipliers, (x for rows in self.rows for x in self._driven(rows)))
        terms += [graph.product(x, v) for c in self.exerted for x, v in zip(c, stated.v, strict=True)]
        energy = graph.subtract(stated.potential, self.kinetic)
        return graph.sum([*terms, *gradient(graph, energy, [stated.t])])

    def _driven(self, rows: RowNodes) -> Nodes:
        """G q' of each row, where its equations do not make it vanish."""
        graph, stated = self.graph, self.stated
        if rows.kind == "program":
            return [graph.zero] * len(rows)  # its drives do work, and they are no multipliers
        speeds = [graph.sum(map(graph.product, row, stated.v)) for row in rows.G]
        if rows.level == 0:  # G q' + dg/dt = 0
            return [graph.scale(-1.0, gradient(graph, x, [stated.t])[0]) for x in rows.position]
        moving = sum(graph.depends[x] for x in stated.v)
        if rows.level == 1 and not any(graph.depends[x] & moving for row in rows.G for x in row):  # G q' + c = 0
            return [graph.scale(-1.0, c) for c in graph.replaced(rows.velocity, dict.fromkeys(stated.v, graph.zero))]
        return speeds

    # What implicit methods, linearisation and sensitivities ask for

    @cached_property
    def reactions(self) -> list[Nodes]:
        """What each constraint exerts, G^T lambda + c (n each), with a, lambda and u as inputs; E u of a program.

        Followed programs come last.
        """
        graph, stated = self.graph, self.stated
        weights, found = iter(stated.multipliers), []
        for c, extra in zip(stated.constraints, self.exerted, strict=False):
            own = [(e, next(weights)) for e in c.expressions]
            ideal = reverse(graph, [] if c.kind == "program" else own, (stated.q, stated.v, stated.a)[c.level])
            found.append([graph.add(x, y) for x, y in zip(ideal, extra, strict=True)] if any(extra) else ideal)
        return found + self.exerted[len(found) :]

    @cached_property
    def exerted(self) -> list[Nodes]:
        """What each constraint exerts that is not G^T lambda (n each): c of its law, E u of a program's drives."""
        graph, stated = self.graph, self.stated
        drives, first, found = iter(stated.drives), 0, []
        for c in (*stated.constraints, *stated.followed):
            columns = [(next(drives), column) for _, column in c.drives]
            columns += [(graph.product(c.share, stated.multipliers[first]), c.direction)] if c.direction else []
            columns += [(graph.one, c.push)] if c.push else []
            first += len(c)
            found.append([graph.sum(graph.product(w, x[i]) for w, x in columns) for i in range(stated.n)])
        return found

    @cached_property
    def accelerated(self) -> Nodes:
        """G a + g0 of every row (s), with a as input."""
        return [x for c in self.stated.constraints for x in self._accelerated(c)]

    @cached_property
    def followed_accelerations(self) -> Nodes:
        """G a + g0 of the programs that a motion may be off, with a as input."""
        return [x for c in self.stated.followed for x in self._accelerated(c)]

    @cached_property
    def balance(self) -> Nodes:
        """A a - h - r (n) and G a + g0 (s), with a, lambda and u as inputs; r is what all constraints exert."""
        graph = self.graph
        forces = [graph.sum(parts) for parts in zip(self.Q, *self.reactions, strict=True)]
        return [*map(graph.subtract, self._inertia(accelerations=True), forces), *self.accelerated]

    def _accelerated(self, c: ConstraintNodes) -> Nodes:
        if c.level == 2:
            return list(c.expressions)
        velocity = self.rate(c.expressions) if c.level == 0 else list(c.expressions)
        return self.rate(velocity, accelerations=True)

    def balance_derivatives(self, inputs: tuple[int, ...]) -> list[Nodes]:
        """The derivatives of `balance` by the inputs, (n + s) rows."""
        return [gradient(self.graph, x, inputs) for x in self.balance]
