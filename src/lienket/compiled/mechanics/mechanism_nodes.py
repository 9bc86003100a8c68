"""Bodies and joints on the graph: A by composite bodies, h by one sweep, energies; nothing is differentiated.

    A q'' = h,   h = Q - N',   N' the inertial forces with q'' = 0

Q of all elements and of gravity comes from the same sweep as the inertial forces (mechanisms 1.5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from ...language.expression import Expression
from ...mechanism.dynamics import (
    Wrench,
    euler_forces,
    generalized,
    inertia_matrix,
    kinetic_energy,
)
from ...mechanism.elements import Load, loads_of
from ...mechanism.loads import dissipation_of, from_outside, generalized_forces, potential_of, weights_of
from ...mechanism.state import MechanismState
from ...model.bodies import Description
from .graph_algebra import GraphAlgebra
from .graph_algebra import Groups as Groups


class MechanismNodes:
    """Equations of a mechanism as nodes; each is formed at its first use."""

    def __init__(
        self,
        description: Description,
        groups: Groups,
        translate: Callable[[Expression], int],
        parameters: tuple[str, ...],
    ) -> None:
        self.algebra = GraphAlgebra(groups, translate)
        self.state = MechanismState(description, self.algebra)
        self.outline = repr((description, parameters))

    @cached_property
    def loads(self) -> dict[str, Load]:
        """What the elements exert, by name."""
        return loads_of(self.state)

    @cached_property
    def kinetic(self) -> int:
        """Kinetic energy."""
        state = self.state
        return self.algebra.node(kinetic_energy(state.tree, state.masses, state.rates, self.algebra, state.factors))

    @cached_property
    def potential(self) -> int:
        """Potential energy of gravity and springs."""
        return self.algebra.node(potential_of(self.state, self.loads.values()))

    @cached_property
    def dissipation(self) -> int:
        """Rayleigh's function of dampers."""
        return self.algebra.node(dissipation_of(self.loads.values()))

    @cached_property
    def forces(self) -> list[int]:
        """Generalized forces (n) of loads that have neither potential nor dissipation."""
        return self.algebra.nodes(generalized_forces(self.state, from_outside(self.loads.values()), {}))

    @cached_property
    def Q(self) -> list[int]:
        """Generalized forces (n) of gravity and all elements."""
        return self.algebra.nodes(generalized_forces(self.state, self.loads.values(), self.weights))

    @cached_property
    def h(self) -> list[int]:
        """Right side of A q'' = h (n)."""
        wrenches = {name: self.weights[name] + -wrench for name, wrench in self.inertial_wrenches(None).items()}
        h = generalized_forces(self.state, self.loads.values(), wrenches)
        for k, force in euler_forces(self.state.tree, self.algebra, self.state.factors, None).items():
            h[k] = h[k] - force
        return self.algebra.nodes(h)

    @cached_property
    def A(self) -> list[tuple[int, ...]]:
        """Inertia matrix (n x n)."""
        state = self.state
        A = inertia_matrix(state.tree, state.position, state.masses, self.algebra, state.factors)
        return [tuple(self.algebra.nodes(row)) for row in A]

    def inertial(self, a: Sequence[int] | None) -> list[int]:
        """Return the inertial forces A q'' - N (n), or -N where q'' is None."""
        accelerations = None if a is None else self.algebra.a
        forces = generalized(self.state.tree, self.state.position, self.inertial_wrenches(accelerations))
        for k, force in euler_forces(self.state.tree, self.algebra, self.state.factors, accelerations).items():
            forces[k] = forces[k] + force
        return self.algebra.nodes(forces)

    def inertial_wrenches(self, a: Sequence[Any] | None) -> dict[str, Wrench]:
        """Return m a_c and the rate of the angular momentum of each body."""
        found = self.state.accelerations(a)
        rates = self.state.rates
        return {name: mass.inertial(rates[name], found[name]) for name, mass in self.state.masses.items()}

    @cached_property
    def weights(self) -> dict[str, Wrench]:
        """Weights of the bodies about their origins."""
        return weights_of(self.state)
