"""Sensitivity: derivatives of what a run gives, by parameters and start values, with how good they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...errors import UnknownName
from ...foundation.arrays import Array
from ...foundation.assessment import Assessment, table
from ...foundation.frozen_dataclass import dataclass
from ...kernels.audit_limits import TANGENT_RESIDUAL_LIMIT
from ...language.names import name_among


@dataclass(frozen=True)
class SensitivityAudit(Assessment):
    """Residuals of derivatives in the linearized constraints.

    Attributes
    ----------
    residual : float
        Largest |G dq + g_p dp| and |G dv + g'_q dq + g'_p dp| over rows and columns, relative to the terms of the sum,
        after projection; with the adjoint, at the start only.
    moved : float
        Largest such residual before the projection of each step, which the integration method leaves; 0 with the
        adjoint.
    mode : str
        "forward" or "adjoint".
    singular : int
        Number of times at which constraints were nearly dependent; where branches meet there are no derivatives.
    warnings : tuple of str
        Sentences on derivatives that leave the tangent space, and on singular positions.
    """

    residual: float
    moved: float
    mode: str
    singular: int
    warnings: tuple[str, ...]

    def facts(self) -> list[str]:
        """Return the lines of the text before the warnings.

        Returns
        -------
        list of str
            One line.
        """
        where, end = (" at the start", "") if self.mode == "adjoint" else ("", f", {self.moved:.1e} before projection")
        return [f"{self.mode}: off the tangent space by {self.residual:.1e} of the terms at most{where}{end}"]


def sensitivity_audit(residual: float, moved: float, mode: str, singular: int) -> SensitivityAudit:
    """Return the audit of derivatives, with its warnings."""
    warnings = []
    if not residual <= TANGENT_RESIDUAL_LIMIT:
        warnings.append(
            f"The derivatives violate the linearized constraints by {residual:.1e} of their terms: reduce `rtol` and "
            "`atol`, and compare."
        )
    if singular:
        warnings.append(
            f"The constraints were nearly dependent {singular} times: where branches meet there are no derivatives."
        )
    return SensitivityAudit(residual, moved, mode, singular, tuple(warnings))


@dataclass(frozen=True)
class Along(Mapping[tuple[str, str], Array]):
    """Derivatives at every row of a run (N): along["x", "m"] has N numbers.

    A mapping from pairs of names.

    Attributes
    ----------
    of : tuple of str
        Names of the differentiated quantities.
    by : tuple of str
        Names of the parameters and start values.
    path : ndarray
        All derivatives (N x of x by).
    """

    of: tuple[str, ...]
    by: tuple[str, ...]
    path: Array

    def __getitem__(self, key: tuple[str, str]) -> Array:
        """Return the derivatives of one quantity by one parameter or start value.

        Parameters
        ----------
        key : (str, str)
            Names in `of` and in `by`.

        Returns
        -------
        ndarray
            One number per row (N).

        Raises
        ------
        UnknownName
            If there is no such derivative.
        """
        of, by = output_and_parameter(key, self.of, self.by)
        return self.path[:, of, by]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter([(of, by) for of in self.of for by in self.by])

    def __len__(self) -> int:
        return len(self.of) * len(self.by)


@dataclass(frozen=True, repr=False)
class Sensitivity:
    """Derivatives of quantities at the end of a run by parameters and start values, made by `System.sensitivity`.

    Attributes
    ----------
    of : tuple of str
        Names of the differentiated quantities.
    by : tuple of str
        Names of the parameters and start values.
    values : ndarray
        Derivatives at the end of the run (of x by).
    along : Along or None
        Derivatives at every row, along["x", "m"]; None unless they were requested.
    trajectory : Trajectory
        Run that was differentiated.
    audit : SensitivityAudit
        Residuals of the derivatives in the linearized constraints.

    Examples
    --------
    >>> x = lk.coordinates("x")
    >>> a = lk.parameters("a")
    >>> mass = lk.System("mass", [x], kinetic=der(x)**2/2, forces={x: a}, values={a: 2})
    >>> found = mass.sensitivity(start={"x": 0, "x'": 1}, until=3, by=["a", "x'"])
    >>> round(found["x", "a"], 9), round(found["x", "x'"], 9)
    (4.5, 3.0)
    >>> found.audit.ok
    True
    """

    of: tuple[str, ...]
    by: tuple[str, ...]
    values: Array
    along: Along | None
    trajectory: Any
    audit: SensitivityAudit

    def __getitem__(self, key: tuple[str, str]) -> float:
        """Return the derivative of one quantity by one parameter or start value at the end of the run.

        Parameters
        ----------
        key : (str, str)
            Names in `of` and in `by`.

        Returns
        -------
        float
            The derivative.

        Raises
        ------
        UnknownName
            If there is no such derivative.
        """
        return float(self.values[output_and_parameter(key, self.of, self.by)])

    def text(self) -> str:
        """Return the derivatives in plain text.

        Returns
        -------
        str
            Table with one row per name in `of` and one column per name in `by`.
        """
        cells = [["", *(f"by {name}" for name in self.by)]]
        for name, row in zip(self.of, self.values, strict=True):
            cells.append([name, *(f"{x:.8g}" for x in row)])
        return "\n".join(table(cells))

    def __repr__(self) -> str:
        end = self.trajectory.t[-1]
        return f"Derivatives of {self.trajectory.system.name!r} at t = {end:g}\n{self.text()}\n{self.audit}"


def output_and_parameter(key: object, of: tuple[str, ...], by: tuple[str, ...]) -> tuple[int, int]:
    """Return the indices in `of` and `by` of a pair of names."""
    if not isinstance(key, tuple) or len(key) != 2:
        raise UnknownName("derivative", str(key), [f'"{x}", "{y}"' for x in of for y in by])
    labels = name_among(key[0], of), name_among(key[1], by)
    for name, names, what in zip(labels, (of, by), ("derivative of something", "derivative by something"), strict=True):
        if name not in names:
            raise UnknownName(what, name, names)
    return of.index(labels[0]), by.index(labels[1])


def frozen(values: Array) -> Array:
    """Return a read-only copy."""
    copy = np.array(values)
    copy.setflags(write=False)
    return copy
