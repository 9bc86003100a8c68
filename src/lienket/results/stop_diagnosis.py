"""What is wrong with a state at which a run came to a stop, in words."""

from __future__ import annotations

import numpy as np

from ..errors import LienketError
from ..kernels.state import State

NEAR = 1e-2
"""How little a combination of rows may add to the others to be called nearly dependent."""


def diagnosis(state: State) -> str:
    """Sentences that name the state and the constraints that are contradictory, dependent or nearly so."""
    shown = ", ".join(f"{name} = {x:.6g}" for name, x in list(zip(state.names, state.q, strict=True))[:8])
    where = f"The state there: {shown}{', ...' if len(state.names) > 8 else ''}."
    try:
        fastest = int(np.argmax(np.abs(state.accelerations)))
    except LienketError as error:
        return f"{where} {error}"
    return " ".join([where, *_dependence(state), _fastest(state, fastest)])


def _fastest(state: State, place: int) -> str:
    return f"The largest acceleration is {state.names[place]}'' = {state.accelerations[place]:.3g}."


def _dependence(state: State) -> list[str]:
    """The constraints in the combination of rows that adds least, if it adds little."""
    metric = state.chain.metric
    G = state.G * metric.scale
    sizes = np.linalg.norm(G, axis=1)
    if len(G) == 0 or not np.all(sizes > 0):
        return []
    U, values, _ = np.linalg.svd(G / sizes[:, None])
    least = values[-1] if len(G) <= G.shape[1] else 0.0
    if least > NEAR:
        return []
    owners = [row.name for row in state.numbers.rows for _ in row.g0]
    weights = np.abs(U[:, len(values) - 1])
    named = list(dict.fromkeys(owners[k] for k in np.argsort(-weights) if weights[k] > 0.1))
    listed = ", ".join(map(repr, named))
    return [
        f"The constraints {listed} are nearly dependent there (to {least:.1e}): "
        "the mechanism is at a dead point, locks, or cannot go on as its constraints ask."
    ]
