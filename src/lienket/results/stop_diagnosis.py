"""Diagnosis of the state at which a run stopped, in sentences."""

from __future__ import annotations

import numpy as np

from ..errors import LienketError
from ..kernels.state import State

DEPENDENCE_THRESHOLD = 1e-2  # [1] singular value of the unit rows of G below which they are nearly dependent
SHARE_TO_NAME = 0.1  # [1] share of a row in a dependent combination of length 1 from which on its constraint is named
NAMED_COORDINATES = 8  # [1] coordinates listed in a diagnosis


def diagnosis(state: State) -> str:
    """Return sentences on the state and on constraints that are contradictory, dependent or nearly dependent there."""
    shown = ", ".join(
        f"{name} = {x:.6g}" for name, x in list(zip(state.names, state.q, strict=True))[:NAMED_COORDINATES]
    )
    where = f"The state there: {shown}{', ...' if len(state.names) > NAMED_COORDINATES else ''}."
    try:
        fastest = int(np.argmax(np.abs(state.accelerations)))
    except LienketError as error:
        return f"{where} {error}"
    return " ".join([where, *_dependence(state), _fastest(state, fastest)])


def _fastest(state: State, coordinate: int) -> str:
    """Return the sentence on the largest acceleration."""
    return f"The largest acceleration is {state.names[coordinate]}'' = {state.accelerations[coordinate]:.3g}."


def _dependence(state: State) -> list[str]:
    """Return a sentence on the constraints in the combinations of rows that add little to the others, if there are any.

    Of several such combinations, x G = 0, any mixture is another, and which ones a decomposition finds is a matter of
    rounding. The share of a row in all of them together is not, and neither is the order of the constraints.
    """
    metric = state._chain.metric
    G = state.G * metric.scale
    sizes = np.linalg.norm(G, axis=1)
    if len(G) == 0:
        return []
    owners = [row.name for row in state._numbers.rows for _ in row.g0]
    if sizes.min() < DEPENDENCE_THRESHOLD * sizes.max():
        return [
            f"A row of the constraint {owners[int(np.argmin(sizes))]!r} nearly vanishes there, so that the constraints "
            f"are nearly dependent (to {sizes.min() / sizes.max():.1e}): the mechanism is at a dead point."
        ]
    U, values, _ = np.linalg.svd(G / sizes[:, None])
    added = np.concatenate([values, np.zeros(len(G) - len(values))])
    if added[-1] > DEPENDENCE_THRESHOLD:
        return []
    shares = np.linalg.norm(U[:, added <= DEPENDENCE_THRESHOLD], axis=1)
    listed = ", ".join(repr(name) for name in dict.fromkeys(np.array(owners)[shares > SHARE_TO_NAME].tolist()))
    return [
        f"The constraints {listed} are nearly dependent there (to {added[-1]:.1e}): "
        "the mechanism is at a dead point, is locked, or its constraints admit no further motion."
    ]
