"""Record: quantities measured over time, as numbers and as functions of time for formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from ...errors import Faults, UnknownName
from ...foundation.arrays import Array, ArrayLike
from ...foundation.frozen_dataclass import dataclass
from ...language.data_functions import Table
from ...language.expression import ExpressionLike
from ...language.short_text import short_text
from ...language.symbols import t as time
from ..force import Force
from .path_axes import PathCurve, PlaneCurve, path_axes


@dataclass(frozen=True, repr=False)
class Record:
    """Quantities measured over time, made by `lk.laws.record`.

    `record["X"]` is a column of numbers; `record.table("X")` is a function for formulas.

    Attributes
    ----------
    name : str
        First part of the names of its tables: name_X for the component X.
    t : ndarray
        Times (N), strictly increasing, read-only.
    components : tuple of str
        Names of the columns, k.
    values : ndarray
        Measured numbers (N x k), read-only.
    units : Mapping of str to str
        Unit labels by component, and of the time under "t", as far as they are known.
    kind : str
        Interpolation between the rows: "cubic", "pchip" or "linear", as in `lk.table`.
    outside : str
        Values before the first and after the last row: "error", "hold" or "extrapolate", as in `lk.table`.

    Examples
    --------
    >>> cut = lk.laws.record({"t": [0, 1, 2, 3], "X": [0, 2, 4, 6]}, units={"X": "N"}, name="cut")
    >>> cut
    record 'cut': X [N]; 4 rows from t = 0 to 3
    >>> cut.units["X"], cut.values.shape
    ('N', (4, 1))
    """

    name: str
    t: Array
    components: tuple[str, ...]
    values: Array
    units: Mapping[str, str]
    kind: str = "cubic"
    outside: str = "error"

    def __getitem__(self, component: str) -> Array:
        """Return the numbers of one component.

        Parameters
        ----------
        component : str
            Name of the component.

        Returns
        -------
        ndarray
            Its numbers (N).

        Raises
        ------
        UnknownName
            If there is no such component.

        Examples
        --------
        >>> cut = lk.laws.record({"t": [0, 1, 2, 3], "X": [0, 2, 4, 6]})
        >>> cut["X"].tolist()
        [0.0, 2.0, 4.0, 6.0]
        """
        return self.values[:, self._column(component)]

    def table(self, component: str) -> Table:
        """Return one component as a function of time for formulas.

        Parameters
        ----------
        component : str
            Name of the component.

        Returns
        -------
        Table
            An lk.table; table(lk.t) is an expression.

        Raises
        ------
        UnknownName
            If there is no such component.

        Examples
        --------
        >>> cut = lk.laws.record({"t": [0, 1, 2, 3], "X": [0, 2, 4, 6]}, name="cut")
        >>> cut.table("X")(lk.t)
        cut_X(t)
        """
        return self._tables[self._column(component)]

    def at(self, times: ArrayLike) -> Array:
        """Return all components at other times, by the interpolation that formulas use.

        Parameters
        ----------
        times : array_like
            Times (m).

        Returns
        -------
        ndarray
            Values (m x k); NaN outside the record if `outside` is "error".

        Examples
        --------
        >>> cut = lk.laws.record({"t": [0, 1, 2, 3], "X": [0, 2, 4, 6]})
        >>> cut.at([0.5, 2.5]).round(9).tolist()
        [[1.0], [5.0]]
        """
        return np.column_stack([table.value(np.asarray(times, dtype=float)) for table in self._tables])

    def force(
        self,
        at: Iterable[ExpressionLike],
        components: Iterable[str] | None = None,
        *,
        axes: str = "fixed",
        tangent: Iterable[ExpressionLike] | str | None = None,
        normal: Iterable[ExpressionLike] | str | None = None,
        curve: PlaneCurve | None = None,
        path: PathCurve | None = None,
        reverse: bool = False,
        name: str = "",
    ) -> Force:
        """Return the record as a force at a point, r = (dr/dq)^T V F (theory 9; paper 003, eq. 20).

        With axes="path" the components are along tangent, normal and binormal, V = [t n b], or the first of these; one
        of `tangent`, `curve` and `path` states the tangent. All faults are reported together in one ModelError.

        Parameters
        ----------
        at : iterable of expressions
            Point r(q, t).
        components : iterable of str, optional
            Columns to use, in order; by default all.
        axes : {"fixed", "path"}
            Axes of the components; "fixed" is along x, y, z, V = 1.
        tangent : iterable of expressions or "velocity", optional
            Direction of the tangent, of any length. With "velocity", a run in which the point is at rest fails.
        normal : iterable of expressions or "right", optional
            In space the normal, of which the part perpendicular to the tangent counts. In the plane "right" puts the
            normal to the right of the tangent instead of the left.
        curve : callable or expression, optional
            Curve g(x, y) = 0 in the plane: a function of two arguments, or an expression if `at` is a pair of
            coordinates. The normal points towards growing g.
        path : (iterable of expressions, coordinate) or coordinate, optional
            Curve r(s) and its coordinate s; s alone if the point itself is given by s. In space the normal is that of
            the curvature.
        reverse : bool
            Whether to reverse the tangent, and in the plane the normal with it.
        name : str
            Name of the force; by default that of the record.

        Returns
        -------
        Force
            An lk.Force whose components are splines of time.

        Examples
        --------
        >>> cut = lk.laws.record({"t": [0, 1, 2, 3], "X": [0, 2, 4, 6], "Y": [1, 1, 1, 1]}, name="cut")
        >>> cut.force(at=lk.coordinates("x y")).components
        (cut_X(t), cut_Y(t))
        """
        faults = Faults()
        point = tuple(at)
        V = self._axes(point, axes, faults, tangent=tangent, normal=normal, curve=curve, path=path, reverse=reverse)
        chosen = self._chosen(components, len(point), axes, faults)
        faults.raise_any(f"The force of the record {self.name!r}")
        F = V[:, : len(chosen)] * sp.Matrix([self.table(component)(time) for component in chosen])
        return Force(point, tuple(F), name or self.name)

    def _chosen(self, components: Iterable[str] | None, dimension: int, axes: str, faults: Faults) -> tuple[str, ...]:
        """Return the components of a force at a point with `dimension` coordinates."""
        chosen = self.components if components is None else tuple(components)
        for component in chosen:
            if component not in self.components:
                faults.add("components", str(UnknownName("component", component, self.components)))
        if len(chosen) > dimension or (axes == "fixed" and len(chosen) != dimension):
            what = (
                f"the point has {dimension} coordinates, but {len(chosen)} components are given: {short_text(chosen)}"
            )
            faults.add("components", what, "Name those that act there: components=('X', 'Y').")
        return chosen

    def _axes(self, point: tuple[ExpressionLike, ...], axes: str, faults: Faults, **options: Any) -> sp.Matrix:
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
