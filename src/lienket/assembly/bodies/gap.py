"""A loop that cannot close: how far apart the places of which joint stay, with the joints of the tree intact.

The least sum of the squares of all gaps over the coordinates that are not given, by damped Gauss-Newton steps from the
guess and from some points around it (mechanisms 6.5). Where it is not zero, the joint with the largest gap is named.
"""

from __future__ import annotations

import numpy as np

from ...errors import StartError
from ...foundation.arrays import Array, BoolArray
from ...kernels.evaluation import Evaluation
from ...model.input.stated_start import StatedStart
from ..numeric_system import NumericSystem
from .relative import relative_system

POINTS_TOGETHER = ("revolute", "spherical", "universal", "weld")
STARTS = 12  # [points] from which the least gap is searched
SPREAD = 2.0  # [rad or length] largest distance of these points from the guess, in each coordinate
CLOSED = 1e-7  # [1] gap relative to the length of the mechanism that counts as closed


def with_gap(error: StartError, system: NumericSystem, stated: StatedStart, t: float, parameters: Array) -> StartError:
    """Return the error of a start with the joint at which a loop cannot close; the error itself if all can."""
    if system.mechanism is None:
        return error
    given = [(name, float(x)) for name, x, fixed in zip(system.names, stated.q, stated.fixed_q, strict=True) if fixed]
    q, free = stated.q, ~stated.fixed_q
    if system.mechanism.absolute:
        if given:
            return error
        by_name = dict(zip(system.symbols.parameters, parameters.tolist(), strict=True))
        system = relative_system(system)
        parameters = np.array([by_name.get(name, 0.0) for name in system.symbols.parameters])
        q = np.array(
            [1.0 if name in (system.mechanism.scalars if system.mechanism else ()) else 0.0 for name in system.names]
        )
        free = np.ones(len(q), dtype=bool)
    found = _least_gaps(system, q, free, t, parameters)
    if not found:
        return error
    name, gap = max(found.items(), key=lambda item: item[1])
    held = f", with {', '.join(f'{x} = {value:.6g}' for x, value in given)} held" if given else ""
    return StartError(
        f"A loop cannot close at the joint {name!r}: its two places stay {gap:.4g} apart at best, "
        f"with all joints of the tree intact{held}.",
        found,
        [x for x, _ in given],
        "Change a length or a given coordinate.",
    )


def _least_gaps(system: NumericSystem, q: Array, free: BoolArray, t: float, parameters: Array) -> dict[str, float]:
    """Return the gap of each cut joint whose points coincide, {} if all close or there are none."""
    from scipy.optimize import least_squares

    description = system.code.statement().free.mechanism
    assert description is not None  # noqa: S101  # called for mechanisms only
    kinds = [(k, j.name) for k, j in enumerate(description.joints) if j.name in description.cut]
    chosen = [(k, name) for k, name in kinds if description.joints[k].kind in POINTS_TOGETHER]
    if not chosen or not free.any():
        return {}
    model, rows = system.model(), [k for k, _ in chosen]
    last: dict[str, float] = {}

    def evaluated(x: Array) -> Evaluation:
        at = q.copy()
        at[free] = x
        return Evaluation(model, (1,), np.array([t]), at[None], np.zeros((1, len(q))), parameters)

    def gaps(x: Array) -> Array:
        e = evaluated(x)
        last["length"] = float(e.geometry["length"][0, 0, 0])
        units = [e.position[0, model.rows[c.name]] for c in model.constraints if c.name.endswith("_unit")]
        return np.concatenate([e.geometry["between"][0, rows].ravel(), *units])

    rng, best = np.random.default_rng(0), None
    for attempt in range(STARTS):
        begin = q[free] + (rng.uniform(-SPREAD, SPREAD, int(free.sum())) if attempt else 0.0)
        with np.errstate(all="ignore"):
            solution = least_squares(gaps, begin, xtol=1e-14, ftol=1e-14, gtol=1e-14, max_nfev=200)
        if best is None or solution.cost < best.cost:
            best = solution
    assert best is not None  # noqa: S101  # there is at least one attempt
    distances = np.linalg.norm(gaps(best.x)[: 3 * len(rows)].reshape(-1, 3), axis=1)
    if not distances.max() > CLOSED * last["length"]:
        return {}
    return {name: float(d) for (_, name), d in zip(chosen, distances, strict=True)}
