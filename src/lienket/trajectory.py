"""Trajectory, the result of a simulation: an interface to the rows of a run, without algorithms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from .assembly.bodies.along_run import AlongMechanism
from .errors import LienketError, UnknownName
from .foundation.arrays import Array
from .foundation.frozen_dataclass import dataclass
from .foundation.lazy_import import lazy_module
from .language.expression import Expression
from .language.names import name_among
from .results.columns import columns
from .results.row_values import RowValues
from .results.run_columns import RunColumns
from .simulation.run.resample import resample
from .simulation.run.result import Run

if TYPE_CHECKING:
    from .assembly.numeric_system import Outputs
    from .kernels.state import State
    from .simulation.start.start import Start
    from .system import System


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(AlongMechanism, RunColumns):
    """Motion of a system: N rows at increasing times, columns in the order of the coordinates or constraint rows.

    `System.simulate` and `lk.load` create trajectories. Quantities other than t, q and v are computed on first use.
    ``trajectory["x"]`` or ``trajectory[x]`` is a column, ``trajectory[10:20]`` are rows, ``trajectory.at(time)`` is
    the state at any time of the run by dense output.

    Attributes
    ----------
    system : System
        The simulated system.

    Examples
    --------
    >>> disc = lk.load("examples/models/rolling_disc.toml")
    >>> motion = disc.simulate({"Fx": 0, "M": 0}, start={"x'": 1.0}, times=[0, 1, 2])
    >>> motion["x"].round(9)
    array([0., 1., 2.])
    """

    def __getitem__(self, key: str | slice | Expression) -> Any:
        """Return a column of `to_dict` by name, "x", "rod[0]", "kinetic", or some rows, ``trajectory[10:20]``.

        Parameters
        ----------
        key : str, symbol or slice
            Name of a column, a coordinate or its derivative (x, der(x) and der(x, 2)), or rows in the order of time.

        Returns
        -------
        ndarray or Trajectory
            The column (N), or the trajectory with these rows.

        Raises
        ------
        LienketError
            If there is no such column or row.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> motion = disc.simulate({"Fx": 0, "M": 0}, start={"x'": 1.0}, until=2.0)
        >>> print(motion["x'"][-1].round(9), len(motion[:2]))
        1.0 2
        """
        is_time = getattr(key, "is_Symbol", False) and str(key) == "t"
        if isinstance(key, str) or is_time or getattr(getattr(key, "expr", key), "is_Function", False):
            return self._column(key)
        if not isinstance(key, slice):
            raise LienketError('Index a trajectory by a column name, trajectory["x"], or by rows, trajectory[10:20].')
        if key.step is not None and not key.step > 0:
            raise LienketError("The step of a slice must be positive, as in trajectory[10:20:2].")
        run = self._run
        parts: dict[str, Any] = {
            name: np.ascontiguousarray(getattr(run, name)[key]) for name in ("t", "q", "v", "work", "steps")
        }
        if not len(parts["t"]):
            raise LienketError(f"There are no rows in {key}; the run has {len(run.t)} rows.")
        if run.history is not None:
            parts["history"] = replace(run.history, part=run.history.part[key])
        return self._with(replace(run, **parts))

    def _column(self, key: str | Expression) -> Array:
        """Return a column of `to_dict` by name or symbol; those of the motion without computing the others."""
        names = self.coordinate_names
        plain = not isinstance(key, str) or key.rstrip("'") in names
        label = name_among(key, names, [] if plain else [p.name for p in self.system.parameters])
        name = label.rstrip("'")
        if name in names and len(label) - len(name) <= 2:
            return (self.q, self.v, self.accelerations)[len(label) - len(name)][:, names.index(name)]
        table = self.to_dict()
        if label not in table:
            raise UnknownName("column", label, list(table))
        return table[label]

    def structure(self, time: float) -> tuple[str, ...]:
        """Return the names of the constraints that are active at a time; at the time of a switch, those after it.

        Parameters
        ----------
        time : float
            Time within the run.

        Returns
        -------
        tuple of str
            Names of constraints.

        Raises
        ------
        LienketError
            If the system changes during the run and the time is outside it.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> motion = disc.simulate({"Fx": 0, "M": 0}, start={"x'": 1.0}, until=2.0)
        >>> motion.structure(1.0)
        ('contact', 'rolling')
        """
        if self._run.history is None:
            return self.constraints
        if not self.t[0] <= time <= self.t[-1]:
            raise LienketError(f"t = {time:.9g} is outside the run, {self.t[0]:.9g} to {self.t[-1]:.9g}.")
        return self._run.history.names(self._run.history.at(time))

    @cached_property
    def start(self) -> Start | None:
        """Start of the run: q, v, the origin and the assumptions of each number, and other assemblies.

        None for a trajectory from a file that does not have it.
        """
        start, problem = self._run.start, self._run.problem
        if start is None:
            return None
        if start.stated is None:
            return start
        solved: Start = lazy_module("lienket.assembly.start").solve_start(
            self.system.numeric_system, start.stated, start.t, problem.parameters, True
        )
        return replace(start, others=solved.others, other_velocities=solved.other_velocities)

    # Between rows

    def at(self, time: float) -> State:
        """Return all quantities at a time within the run, by dense output.

        Parameters
        ----------
        time : float
            Time within the run.

        Returns
        -------
        State
            Result of `System.at` for the state, the parameters and the active constraints at that time.

        Raises
        ------
        LienketError
            If the time lies outside the run.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> motion = disc.simulate({"Fx": 0, "M": 0}, start={"x'": 1.0}, until=2.0)
        >>> motion.at(1.5).reactions["contact"].round(9)
        array([ 0.   , 23.163,  0.   ])
        """
        from .assembly.state import state_under

        try:
            if isinstance(time, (str, bool, np.bool_)):
                raise TypeError
            time = float(time)
        except (TypeError, ValueError):
            raise LienketError(f"The time must be a number, not {time!r}.") from None
        q, v, _ = resample(self._run, np.array([time], dtype=float))
        system, history, parameters = self.system.numeric_system, self._run.history, self._run.problem.parameters
        active = system.all_stated
        if history is not None:
            part = history.at(time)
            parameters, active = history.parameters[part], history.active[int(history.structure[part])]
        return state_under(system, active, float(time), q[0], v[0], parameters)

    def sampled(self, times: int | Sequence[float] | Array) -> Trajectory:
        """Return the motion with rows at other times, by dense output.

        Parameters
        ----------
        times : int or array_like
            Number of equally spaced rows from the first to the last time, or strictly increasing times.

        Returns
        -------
        Trajectory
            The motion with these rows.

        Raises
        ------
        LienketError
            If the times do not increase or lie outside the run.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> motion = disc.simulate({"Fx": 0, "M": 0}, start={"x'": 1.0}, until=2.0)
        >>> motion.sampled(5)["x"].round(9)
        array([0. , 0.5, 1. , 1.5, 2. ])
        """
        run = self._run
        if isinstance(times, (int, np.integer)):
            times = np.linspace(run.t[0], run.t[-1], max(int(times), 0))
        try:
            times = np.array(times, dtype=float)
        except (TypeError, ValueError):
            raise LienketError(f"times must be a number of rows or a sequence of times, not {times!r}.") from None
        if times.ndim != 1 or not len(times) or not np.all(np.diff(times) > 0):
            raise LienketError("times must be a non-empty, strictly increasing sequence.")
        q, v, work = resample(run, times)
        history = run.history
        if history is not None:
            history = replace(history, part=np.array([history.at(t) for t in times]))
        return self._with(replace(run, t=times, q=q, v=v, work=work, steps=np.zeros(len(times)), history=history))

    def _with(self, run: Run) -> Trajectory:
        return replace(self, _numbers=RowValues(run))

    # Files and plots

    def to_dict(self) -> dict[str, Array]:
        """Return every column by name.

        Returns
        -------
        dict of str to ndarray
            Columns (N each): "t", "x", "x'", "x''", multipliers "rod[0]", reactions "reaction of rod on x", energies,
            outputs.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> motion = disc.simulate({"Fx": 0, "M": 0}, start={"x'": 1.0}, until=2.0)
        >>> list(motion.to_dict())[:4]
        ['t', 'x', 'y', 'phi']
        """
        return columns(self._numbers)

    def to_frame(self) -> Any:
        """Return a pandas data frame with the columns of `to_dict`, indexed by time.

        Returns
        -------
        pandas.DataFrame
            One row for each time.

        Raises
        ------
        LienketError
            If pandas is not installed.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> motion = disc.simulate({"Fx": 0, "M": 0}, start={"x'": 1.0}, until=2.0)
        >>> motion.to_frame().index.name
        't'
        """
        try:
            import pandas
        except ImportError:
            raise LienketError("to_frame needs pandas, which is not installed: pip install pandas.") from None
        columns = self.to_dict()
        return pandas.DataFrame(columns, index=pandas.Index(columns.pop("t"), name="t"))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the trajectory to a file, completely or not at all; `lk.load` reads it.

        Parameters
        ----------
        path : path-like
            File with the extension .npz, .csv or .parquet.

        Raises
        ------
        LienketError
            If the suffix is not .npz, .csv or .parquet.

        Examples
        --------
        >>> import tempfile
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> motion = disc.simulate(until=0.5)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     motion.save(f"{folder}/run.npz")
        ...     lk.load(f"{folder}/run.npz") == motion
        True
        """
        from .results.files.store import write

        write(self, path)

    def plot(self, kind: str = "overview") -> Any:
        """Draw quantities over time: an overview of everything that the run has, or one kind of plot.

        Parameters
        ----------
        kind : str, optional
            "overview", which is every kind for which the run has data, or one of them, as "motion", "reactions" or
            "energy". docs/simulation.md has a table of all kinds, and the message for an unknown one lists them.

        Returns
        -------
        matplotlib.figure.Figure
            The figure; it is not shown. Without data for the kind, it says what the system would need.

        Raises
        ------
        UnknownName
            If there is no such kind of plot.

        Notes
        -----
        A reaction is drawn as the magnitude of the force on a point whose Cartesian coordinates are coordinates of the
        system, and as the component r_i on every other coordinate. Neither depends on how the constraint is written,
        as the multipliers do; forces, moments and other units have separate axes. Events are dotted lines.

        Examples
        --------
        >>> motion = lk.load("examples/models/rolling_disc.toml").simulate(until=0.5)
        >>> [axes.get_ylabel() for axes in motion.plot("reactions").axes]
        ['force [N]', 'moment [N m]', 'λ [N]']
        """
        from .plots import plot

        return plot(self, kind)

    def __len__(self) -> int:
        return len(self.t)

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same run of equal systems, bit for bit; computing times do not count."""
        if not isinstance(other, Trajectory):
            return False  # NotImplemented would let NumPy compare the rows with an array
        return bool(self.system == other.system and self._run.same(other._run))

    def __hash__(self) -> int:
        return hash((self.system, self.t.tobytes()))

    def __reduce__(self) -> Any:
        problem = self._run.problem
        rows = _fields_except(self._run, "problem")
        return _unpickled, (self.system, problem.parameters, problem.model.stated_outputs, rows)

    def __repr__(self) -> str:
        rows = f"{len(self.t)} row{'s' if len(self.t) != 1 else ''}"
        return f"Motion of {self.system.name!r}: {rows} from t = {self.t[0]:g} to {self.t[-1]:g}\n{self.outcome}"


def trajectory(system: System, run: Run) -> Trajectory:
    """Return the trajectory of a run."""
    return Trajectory(system, RowValues(run))


def _fields_except(instance: Run, excluded: str) -> dict[str, Any]:
    """Return the fields of a dataclass instance by name, except one."""
    return {f.name: getattr(instance, f.name) for f in fields(instance) if f.name != excluded}


def _unpickled(system: System, parameters: Array, outputs: Outputs, rows: dict[str, Any]) -> Trajectory:
    """Return a pickled trajectory; its compiled code is that of the other runs of its system."""
    numeric = system.numeric_system
    active = None if rows["history"] is None else tuple(range(len(numeric.constraints)))
    return Trajectory(system, RowValues(Run(numeric.problem(parameters, active, outputs), **rows)))
