"""Drive: the drives that a motion requires, row by row, with the unsupplied force and an audit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array
from ...foundation.assessment import Assessment, table
from ...foundation.frozen_dataclass import dataclass
from ...kernels.audit_limits import MOTION_RESIDUAL_LIMIT, UNSUPPLIED_FORCE_LIMIT
from ...language.by_name import ByName
from ...reactions.hidden_programs.result import HiddenPrograms
from ...results.columns import unused


@dataclass(frozen=True)
class DriveAudit(Assessment):
    """Accuracy with which the drives produce the motion.

    Attributes
    ----------
    unsupplied : float
        Largest force that no drive supplies, relative to all forces.
    where : (float, str)
        Time and coordinate of that force.
    balance : float
        Largest |A a - h - G^T lambda - E u - residual|, relative to its terms.
    constraints : Mapping of str to Mapping of str to float
        Largest residual of the given motion in each constraint, as it is written, by level and name.
    needed : Mapping of str to Mapping of str to float
        Largest change of the motion that each constraint needs, relative to the motion, by level and name. It does not
        depend on how the constraint is written.
    unique : bool
        Whether the drives are the only ones possible; otherwise they have the least u^T W u.
    warnings : tuple of str
        Sentences on forces that are not supplied and constraints that the motion violates.
    """

    unsupplied: float
    where: tuple[float, str]
    balance: float
    constraints: Mapping[str, Mapping[str, float]]
    needed: Mapping[str, Mapping[str, float]]
    unique: bool
    warnings: tuple[str, ...]

    def facts(self) -> list[str]:
        """Return the lines of the text before the warnings.

        Returns
        -------
        list of str
            Table of the constraints, then one line per fact.
        """
        levels, names = list(self.needed), list(next(iter(self.needed.values()), {}))
        rows = [[name, *(f"{self.needed[level][name]:.1e}" for level in levels)] for name in names]
        time, coordinate = self.where
        return [
            *(table([["needed change, relative", *levels], *rows]) if rows else ["There are no constraints."]),
            f"unsupplied force         {self.unsupplied:.1e} of all forces, on {coordinate} at t = {time:.6g}",
            f"balance of the equations {self.balance:.1e} of their terms",
            f"allocation               {'unique' if self.unique else 'of least weighted sum of squares'}",
        ]


@dataclass(frozen=True, repr=False)
class Drive:
    """Drives that a motion requires, A a - h = G^T lambda + E u + residual at N times, made by `System.drive`.

    Attributes
    ----------
    t : ndarray
        Times (N).
    names : tuple of str
        Names of the coordinates, n.
    q, v, accelerations : ndarray
        Positions, velocities and accelerations of the motion (N x n).
    drives : Mapping of str to ndarray
        Drives u by name (N each).
    power : Mapping of str to ndarray
        Power u E^T q' of each drive (N each).
    multipliers : ndarray
        Multipliers lambda of the constraint rows (N x s).
    reactions : Mapping of str to ndarray
        Generalized reaction of each constraint (N x n each).
    residual : ndarray
        Generalized force that neither constraints nor drives supply (N x n).
    audit : DriveAudit
        Accuracy of the result, with warnings.
    hidden : HiddenPrograms or None
        Hidden programs of prescribed outputs; None if there were none to search for.

    Examples
    --------
    >>> import numpy as np
    >>> phi = lk.coordinates("phi")
    >>> J = lk.parameters("J")
    >>> wheel = lk.System("wheel", [phi], kinetic=J*der(phi)**2/2, values={J: 2})
    >>> drive = wheel.drive({phi: lk.t**2}, {"M": {phi: 1}}, times=np.linspace(0, 1, 5))
    >>> drive.drives["M"].round(9).tolist(), drive.power["M"].round(9).tolist()
    ([4.0, 4.0, 4.0, 4.0, 4.0], [0.0, 2.0, 4.0, 6.0, 8.0])
    >>> drive.audit.ok
    True
    """

    t: Array
    names: tuple[str, ...]
    q: Array
    v: Array
    accelerations: Array
    drives: Mapping[str, Array]
    power: Mapping[str, Array]
    multipliers: Array
    reactions: Mapping[str, Array]
    residual: Array
    audit: DriveAudit
    hidden: HiddenPrograms | None = None

    def __post_init__(self) -> None:
        by_name = [*self.drives.values(), *self.power.values(), *self.reactions.values()]
        for array in (self.t, self.q, self.v, self.accelerations, self.multipliers, self.residual, *by_name):
            array.setflags(write=False)
        for name, what in (("drives", "drive"), ("power", "drive"), ("reactions", "constraint")):
            self.__dict__[name] = ByName(getattr(self, name), what)

    def __len__(self) -> int:
        return len(self.t)

    @property
    def sentence(self) -> str:
        """Sentence with the range of each drive, followed by the warnings of the audit."""
        ranges = []
        for name, u in self.drives.items():
            k = int(np.argmax(np.abs(u)))
            ranges.append(f"{name} between {np.min(u):.6g} and {np.max(u):.6g}, largest at t = {self.t[k]:.6g}")
        head = f"From t = {self.t[0]:g} to {self.t[-1]:g} the motion takes {'; '.join(ranges)}."
        shared = "" if self.audit.unique else " The drives share the load with the least weighted sum of squares."
        return " ".join([head + shared, *self.audit.warnings])

    def to_dict(self) -> dict[str, Array]:
        """Return every column by name.

        Returns
        -------
        dict of str to ndarray
            "t", "x", "x'", "x''", the drives, "power of M", "reaction of rod on x" and "residual on x" (N each).
        """
        columns: dict[str, Array] = {"t": self.t}
        for order, values in enumerate((self.q, self.v, self.accelerations)):
            columns |= {name + "'" * order: values[:, k] for k, name in enumerate(self.names)}
        for name, u in self.drives.items():
            columns[unused(name, "drive", columns)] = u
        columns |= {f"power of {name}": values for name, values in self.power.items()}
        for name, reaction in self.reactions.items():
            columns |= {f"reaction of {name} on {x}": reaction[:, k] for k, x in enumerate(self.names)}
        return columns | {f"residual on {x}": self.residual[:, k] for k, x in enumerate(self.names)}

    def to_frame(self) -> Any:
        """Return the columns of `to_dict` as a pandas frame.

        Returns
        -------
        pandas.DataFrame
            One row per time; the index is t.

        Raises
        ------
        LienketError
            If pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise LienketError("A frame needs pandas, which is not installed: pip install pandas.") from None
        columns = self.to_dict()
        return pandas.DataFrame(columns, index=pandas.Index(columns.pop("t"), name="t"))

    def plot(self) -> Any:
        """Return a figure of the drives, their power and the forces that no drive supplies.

        Returns
        -------
        matplotlib.figure.Figure
            The figure; it is not shown.
        """
        from ...plots.drives import drives

        return drives(self)

    def __repr__(self) -> str:
        return self.sentence


def warnings_of_drive(
    share: Array,
    t: Array,
    residual: Array,
    names: tuple[str, ...],
    residuals: Mapping[str, Mapping[str, float]],
    needed: Mapping[str, Mapping[str, float]],
) -> tuple[tuple[float, str], tuple[str, ...]]:
    """Return (time, coordinate) of the largest unsupplied force, and the warnings of the audit.

    `share` (N) is the unsupplied force relative to all forces; `residuals` and `needed` are those of the audit.
    """
    k = int(np.argmax(share)) if len(share) else 0
    coordinate = names[int(np.argmax(np.abs(residual[k])))]
    warnings = []
    if share[k] > UNSUPPLIED_FORCE_LIMIT:
        warnings.append(
            f"No drive can supply {residual[k][names.index(coordinate)]:.4g} on {coordinate} at t = {t[k]:.6g}, "
            f"{share[k]:.2g} of all forces: add a drive that acts on it, or add the missing force to the model."
        )
    for level, by_name in needed.items():
        name = max(by_name, key=by_name.__getitem__, default="")
        if name and by_name[name] > MOTION_RESIDUAL_LIMIT:
            off = residuals[level][name]
            warnings.append(f"The motion violates its constraints: the {level} residual of {name!r} is {off:.3g}.")
            break
    return (float(t[k]), coordinate), tuple(warnings)
