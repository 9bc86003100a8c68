"""Reading of the arguments `inputs` (parameters) and `independent` (positions and velocities) of `linearize`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...errors import Faults, did_you_mean
from ...language.names import name_among
from ...model.statement import Statement


def read_inputs(inputs: object, statement: Statement, faults: Faults) -> tuple[int, ...]:
    """Return the indices of parameters, given by name or symbol."""
    names = [p.name for p in statement.parameters]
    indices = []
    listed = _names(inputs, "inputs", names, faults)
    for name in listed:
        if name in names:
            indices.append(names.index(name))
        else:
            faults.add("inputs", f"{name} is no parameter of this system{did_you_mean(name, names)}")
    _check_unique(listed, indices, "inputs", faults)
    return tuple(indices)


def read_states(independent: object, statement: Statement, faults: Faults) -> tuple[int, ...] | None:
    """Return the indices in (q, v) of positions "x" (or x) and velocities "x'" (or der(x)); None if not given."""
    if independent is None:
        return None
    names = [*statement.names, *(f"{x}'" for x in statement.names)]
    indices = []
    listed = _names(independent, "independent", names, faults)
    for name in listed:
        if name in names:
            indices.append(names.index(name))
        else:
            what = f"{name} is neither a coordinate nor a velocity of this system{did_you_mean(name, names)}"
            faults.add("independent", what)
    _check_unique(listed, indices, "independent", faults)
    return tuple(indices)


def _names(keys: object, where: str, names: Sequence[str], faults: Faults) -> list[str]:
    """Return the names in a list of names, symbols or derivatives."""
    if keys is None:
        return []
    if isinstance(keys, str) or not isinstance(keys, Iterable):
        faults.add(where, f"a list of names is needed, not {keys!r}")
        return []
    return [name_among(key, names) for key in keys]


def _check_unique(listed: list[str], indices: list[int], where: str, faults: Faults) -> None:
    """Add a fault if an index occurs twice."""
    if len(set(indices)) < len(indices):
        faults.add(where, f"a name occurs twice: {', '.join(listed)}")
