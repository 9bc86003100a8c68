"""Forces G^T lambda of constraints that are nonlinear in the accelerations, as expressions to differentiate."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import symengine as se

from ...language.engine.engine import Engine
from ...model.reaction_symbols import row_multipliers
from ...model.statement import Statement


def pushes(statement: Statement, names: Collection[str]) -> tuple[tuple[str, Any], ...]:
    """Return the sum of lambda dpsi/dq''_j over the rows of the named constraints, for each coordinate j."""
    engine = Engine(statement.coordinates)
    owners = [(c.name, e) for c in statement.constraints for e in c.expressions]
    weights = row_multipliers(statement.constraints)
    rows = [(engine.inward(s), engine.inward(e)) for s, (name, e) in zip(weights, owners, strict=True) if name in names]
    forces = []
    for name, a in zip(statement.names, engine.a, strict=True):
        total = se.Add(*[weight * engine.derivative(row, a) for weight, row in rows])
        forces.append((f"push on {name}", engine.outward(total)))
    return tuple(forces)
