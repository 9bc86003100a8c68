"""Sensitivity: derivatives of what a run gives, by parameters and start values, with how good they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...errors import UnknownName
from ...foundation.frozen_dataclass import dataclass

Array = Any

TANGENT_RESIDUAL_LIMIT = 1e-10  # [1] residual of a linearized constraint, relative to its terms, that passes the audit


@dataclass(frozen=True)
class SensitivityAudit:
    """How far derivatives were off the tangent space of the constraints.

    residual  the largest |G dq + g_p dp| and |G dv + g'_q dq + g'_p dp| over rows and columns, as a share of the terms
              that it is a sum of; after projection. With the adjoint, at the start only
    moved     the same before each step was projected: what the method itself leaves; 0 with the adjoint
    mode      "forward" or "adjoint"
    singular  how often constraints were nearly dependent on the way; where branches meet there are no derivatives
    """

    residual: float
    moved: float
    mode: str
    singular: int = 0

    @property
    def ok(self) -> bool:
        """Whether the derivatives are tangent to the constraints, which were never nearly dependent."""
        return self.residual <= TANGENT_RESIDUAL_LIMIT and not self.singular

    def __str__(self) -> str:
        where, end = (" at the start", "") if self.mode == "adjoint" else ("", f", {self.moved:.1e} before projection")
        if self.singular:
            end += f"; the constraints were nearly dependent {self.singular} times, where derivatives need not exist"
        return f"{self.mode}: off the tangent space by {self.residual:.1e} of the terms at most{where}{end}"


@dataclass(frozen=True, eq=False)
class Along(Mapping[tuple[str, str], Array]):
    """Derivatives at every row of the run: along["x", "m"] has N numbers; `path` all of them, N x of x by."""

    of: tuple[str, ...]
    by: tuple[str, ...]
    path: Array

    def __getitem__(self, key: tuple[str, str]) -> Array:
        of, by = output_and_parameter(key, self.of, self.by)
        return self.path[:, of, by]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter([(of, by) for of in self.of for by in self.by])

    def __len__(self) -> int:
        return len(self.of) * len(self.by)


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivity:
    """The derivatives of what is listed in `of` at the end of a run, by what is listed in `by`.

    values      (of x by); s["x", "m"] is one of them
    along       the same at every row, s.along["x", "m"]; None if they were not asked for
    trajectory  the run that was differentiated
    audit       how far the derivatives were off the tangent space
    """

    of: tuple[str, ...]
    by: tuple[str, ...]
    values: Array
    along: Along | None
    trajectory: Any
    audit: SensitivityAudit

    def __getitem__(self, key: tuple[str, str]) -> float:
        """The derivative of one by the other."""
        return float(self.values[output_and_parameter(key, self.of, self.by)])

    def text(self) -> str:
        """A table: a row for everything in `of`, a column for everything in `by`."""
        cells = [["", *(f"by {name}" for name in self.by)]]
        for name, row in zip(self.of, self.values, strict=True):
            cells.append([name, *(f"{x:.8g}" for x in row)])
        widths = [max(len(row[k]) for row in cells) for k in range(len(self.by) + 1)]
        lines = [
            "  ".join([row[0].ljust(widths[0]), *(x.rjust(w) for x, w in zip(row[1:], widths[1:], strict=True))])
            for row in cells
        ]
        return "\n".join(line.rstrip() for line in lines)

    def __repr__(self) -> str:
        end = self.trajectory.t[-1]
        return f"Derivatives of {self.trajectory.system.name!r} at t = {end:g}\n{self.text()}\n{self.audit}"


def output_and_parameter(key: Any, of: tuple[str, ...], by: tuple[str, ...]) -> tuple[int, int]:
    """Return the indices in `of` and `by` of a pair of names."""
    if not isinstance(key, tuple) or len(key) != 2:
        raise UnknownName("derivative", str(key), [f'"{x}", "{y}"' for x in of for y in by])
    for name, names, what in zip(key, (of, by), ("derivative of something", "derivative by something"), strict=True):
        if name not in names:
            raise UnknownName(what, str(name), names)
    return of.index(key[0]), by.index(key[1])


def frozen(values: Array) -> Array:
    """Return a read-only copy."""
    copy = np.array(values)
    copy.setflags(write=False)
    return copy
