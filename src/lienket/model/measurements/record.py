"""Record: quantities measured over time, as numbers and as functions of time for formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from ...errors import UnknownName
from ...foundation.frozen_dataclass import dataclass
from ...language.data_functions import Table
from ...language.faults import Faults, short_text
from ...language.symbols import t as time
from ..force import Force
from .path_axes import path_axes

Array = Any


@dataclass(frozen=True, eq=False, repr=False)
class Record:
    """Measured components over time; created by `record`.

    name        beginning of the names of its tables: record_X for the component X
    t           N times, strictly increasing; values  N x k, a column for each of `components`. Read-only
    units       labels by name of component, and of the time under "t", as far as they are known
    kind        interpolation between the rows, and `outside` beyond the first and the last: as in lk.table
    """

    name: str
    t: Array
    components: tuple[str, ...]
    values: Array
    units: Mapping[str, str]
    kind: str = "cubic"
    outside: str = "error"

    def __getitem__(self, component: str) -> Array:
        """Return the N numbers of a component."""
        return self.values[:, self._column(component)]

    def table(self, component: str) -> Table:
        """Return a component as a function, an lk.table: record.table("X")(lk.t) can be used in formulas."""
        return self._tables[self._column(component)]

    def at(self, times: Any) -> Array:
        """Return the components at other times, len(times) x k, from the spline that formulas use."""
        return np.column_stack([table.value(np.asarray(times, dtype=float)) for table in self._tables])

    def force(
        self,
        at: Iterable[Any],
        components: Iterable[str] | None = None,
        *,
        axes: str = "fixed",
        tangent: Any = None,
        normal: Any = None,
        curve: Any = None,
        path: Any = None,
        reverse: bool = False,
        name: str = "",
    ) -> Force:
        """Return the record as a force at a point, an lk.Force: r = (dr/dq)^T V F (theory 9; paper 003, eq. 20).

        `at` is the point r(q, t) and `components` (default: all) are the columns to use, in order. With axes="fixed"
        they are along x, y, z, V = 1. With axes="path" along the tangent, the normal and the binormal (fewer columns:
        the first of these), and the tangent is stated by one of

            tangent=(tx, ty)       expressions, of any length; in space with normal=(nx, ny, nz), of which the part
                                   perpendicular to the tangent counts
            tangent="velocity"     the velocity of the point; undefined while it is at rest, so that a run that begins
                                   at rest or comes to rest fails
            curve=g                g(x, y) = 0 in the plane, a function of two arguments, or an expression if `at` is a
                                   pair of coordinates: the normal points towards growing g
            path=(r, s)            a curve r(s) with a coordinate s; path=s if the point itself is given by s. In space
                                   the normal is that of its curvature

        reverse=True reverses the tangent, and in the plane the normal with it. In the plane normal="right" puts the
        normal to the right of the tangent. `name` is that of the force; all faults are reported together.
        """
        faults = Faults()
        point = tuple(at)
        V = self._axes(point, axes, faults, tangent=tangent, normal=normal, curve=curve, path=path, reverse=reverse)
        chosen = self.components if components is None else tuple(components)
        for component in chosen:
            if component not in self.components:
                faults.add("components", str(UnknownName("component", component, self.components)))
        if len(chosen) > len(point) or (axes == "fixed" and len(chosen) != len(point)):
            what = (
                f"the point has {len(point)} coordinates, but {len(chosen)} components are given: {short_text(chosen)}"
            )
            faults.add("components", what, "Name those that act there: components=('X', 'Y').")
        faults.raise_any(f"The force of the record {self.name!r}")
        F = V[:, : len(chosen)] * sp.Matrix([self.table(component)(time) for component in chosen])
        return Force(point, tuple(F), name or self.name)

    def _axes(self, point: Any, axes: str, faults: Faults, **options: Any) -> Any:
        """Return V for axes="path", the unit matrix for axes="fixed"."""
        if axes == "path":
            return path_axes(point, **options, faults=faults)
        if axes != "fixed":
            faults.add("axes", f"they must be 'fixed' or 'path', not {axes!r}")
        elif used := [key for key, value in options.items() if value is not None and value is not False]:
            faults.add("axes", f"fixed axes take no {', '.join(used)}", "Use axes='path'.")
        return sp.eye(len(point))

    def _column(self, component: str) -> int:
        """Return the column of a component; raises UnknownName."""
        if component not in self.components:
            raise UnknownName("component", component, self.components)
        return self.components.index(component)

    @cached_property
    def _tables(self) -> tuple[Table, ...]:
        """Tables of the components, in order."""
        times = tuple(self.t.tolist())
        return tuple(
            Table(table_name(self.name, component), times, tuple(column.tolist()), self.kind, self.outside)
            for component, column in zip(self.components, self.values.T, strict=True)
        )

    def __reduce__(self) -> Any:
        parts = (self.name, self.t, self.components, self.values, dict(self.units), self.kind, self.outside)
        return Record, parts

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        unit = f" {self.units['t']}" if "t" in self.units else ""
        listed = ", ".join(f"{c} [{self.units[c]}]" if c in self.units else c for c in self.components)
        return f"record {self.name!r}: {listed}; {len(self)} rows from t = {self.t[0]:g} to {self.t[-1]:g}{unit}"


def table_name(record: str, component: str) -> str:
    """Return the name of a component's table in formulas: letters, digits and _ only."""
    return re.sub(r"\W", "_", f"{record}_{component}")
