"""fit_law: arrays of forces and slips become an identified law, or one error with all their faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import Fault, ModelError, did_you_mean
from ...foundation.arrays import Array, IntArray
from ...language.by_name import ByName
from .fit_warnings import warnings_of_fit
from .friction_laws import LAWS, friction, slopes
from .least_squares import Samples, fit_parameters
from .result import Estimate, Identified
from .uncertainty import uncertainty

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


STICKING_SLIP = 1e-3  # [1] slip, relative to the largest, up to which a sample counts as sticking
RESIDUAL_ROUNDING = 1e-10  # [1] residuals, relative to the largest force, attributed to rounding


def fit_law(
    tangential: ArrayLike,
    normal: ArrayLike,
    slip: ArrayLike,
    law: str = "coulomb",
    level: float = 0.95,
    threshold: float | None = None,
    weights: ArrayLike | None = None,
    offset: bool = False,
) -> Identified:
    """Fit a law by least squares; see `lienket.analysis.identification.identify.identify`."""
    faults: list[Fault] = []
    arrays = _arrays({"tangential": tangential, "normal": normal, "slip": slip, "weights": weights}, faults)
    if law not in LAWS:
        faults.append(
            Fault("law", f"it must be one of {', '.join(map(repr, LAWS))}, not {law!r}{did_you_mean(law, LAWS)}")
        )
    if not 0 < level < 1:
        faults.append(Fault("level", f"it must be a probability between 0 and 1, not {level!r}"))
    if threshold is not None and not 0 <= threshold < np.inf:
        faults.append(Fault("threshold", f"it must be a slip, zero or more, not {threshold!r}"))
    _raise(faults)
    force, N, v, w = arrays
    limit = STICKING_SLIP * float(np.abs(v).max()) if threshold is None else float(threshold)
    names = (*LAWS[law], "offset") if offset else LAWS[law]
    rows = np.flatnonzero(np.abs(v) > limit)
    _check_enough(rows, N, names, limit, faults)
    _raise(faults)
    return _fit(law, names, Samples(force[rows], N[rows], v[rows], np.sqrt(w[rows])), rows, len(v), limit, level)


def _fit(
    law: str, names: tuple[str, ...], samples: Samples, rows: IntArray, total: int, limit: float, level: float
) -> Identified:
    """Return the fit of sliding samples, which are the `rows` of `total`."""
    from scipy.special import stdtrit

    values = fit_parameters(names, samples)
    residuals = samples.force - friction(values, samples.normal, samples.slip)
    weighted = residuals * samples.root
    free = len(rows) - len(names)
    sigma = float(np.sqrt(weighted @ weighted / free))
    J = slopes(names, samples.normal, samples.slip, values) * samples.root[:, None]
    if sigma <= RESIDUAL_ROUNDING * float(np.abs(samples.force * samples.root).max()):
        weighted = np.zeros_like(weighted)  # rounding is not noise: its correlation has no meaning
    spread = uncertainty(J, weighted, sigma, rows)
    degrees = max(1.0, len(rows) / spread.correlation_time - len(names))
    quantile = float(stdtrit(degrees, 0.5 + level / 2))
    errors = np.sqrt(np.diag(spread.covariance))
    parameters = {
        name: Estimate(name, values[name], float(e), (values[name] - quantile * e, values[name] + quantile * e), level)
        for name, e in zip(names, errors, strict=True)
    }
    excluded = total - len(rows)
    warnings = warnings_of_fit(parameters, samples, spread, weighted, excluded, _gain(names, samples, sigma, free))
    for array in (spread.covariance, residuals, rows, samples.force, samples.normal, samples.slip):
        array.setflags(write=False)
    return Identified(
        law=law, parameters=ByName(parameters, "parameter"), covariance=spread.covariance, tangential=samples.force,
        normal=samples.normal, slip=samples.slip, rows=rows, residuals=residuals, sigma=sigma,
        degrees_of_freedom=degrees, level=level, threshold=limit, excluded=excluded, condition=spread.condition,
        correlation_time=spread.correlation_time, warnings=warnings,
    )  # fmt: skip


def _gain(names: tuple[str, ...], samples: Samples, sigma: float, free: int) -> float:
    """Return the increase of the sum of squares / sigma^2 without the Stribeck term; 0 for laws without one."""
    if "stribeck" not in names:
        return 0.0
    plain = fit_parameters(tuple(name for name in names if name not in ("mu_static", "stribeck")), samples)
    residuals = (samples.force - friction(plain, samples.normal, samples.slip)) * samples.root
    return float(residuals @ residuals) / sigma**2 - free if sigma > 0 else np.inf


def _arrays(columns: dict[str, Any], faults: list[Fault]) -> list[Array]:
    """Return the columns as arrays of equally many finite numbers; weights are 1 by default."""
    arrays: dict[str, Array] = {}
    for name, entries in columns.items():
        if name == "weights" and entries is None:
            entries = np.ones(len(arrays["slip"]) if "slip" in arrays else 1)
        try:
            array = np.asarray(entries, dtype=float)
        except (TypeError, ValueError):
            faults.append(Fault(name, "an array of numbers was expected"))
            continue
        if array.ndim != 1 or not len(array):
            faults.append(Fault(name, f"one number for each sample was expected, not the shape {array.shape}"))
            continue
        bad = np.flatnonzero(~np.isfinite(array))
        if len(bad):
            more = f", and so are {len(bad) - 1} more" if len(bad) > 1 else ""
            faults.append(
                Fault(
                    name,
                    f"sample {bad[0]} is {array[bad[0]]}, not a finite number{more}",
                    "Remove such samples from all arrays.",
                )
            )
        if name == "weights" and not np.all(array > 0):
            faults.append(Fault(name, f"weights must be positive; sample {np.argmin(array)} has {array.min():g}"))
        arrays[name] = array
    lengths = {name: len(array) for name, array in arrays.items() if columns[name] is not None}
    if len(set(lengths.values())) > 1:
        faults.append(Fault("", "the lengths differ: " + ", ".join(f"{n} has {k}" for n, k in lengths.items())))
    return list(arrays.values())


def _check_enough(rows: IntArray, normal: Array, names: tuple[str, ...], limit: float, faults: list[Fault]) -> None:
    """Add a fault if there are too few sliding samples, or all without a normal force."""
    if len(rows) <= len(names):
        left = f", with |slip| > {limit:.3g}, of {len(normal)}" if len(rows) < len(normal) else ""
        what = f"{len(rows)} samples{left} are not enough to determine {', '.join(names)}"
        faults.append(Fault("slip", what, f"At least {len(names) + 1} are needed; many more are better."))
    elif not np.any(normal[rows]):
        faults.append(Fault("normal", "it is zero in all samples: without a normal force there is no dry friction"))


def _raise(faults: list[Fault]) -> None:
    """Raise one error with all faults, if there are any."""
    if faults:
        raise ModelError("The identification of friction", faults)
