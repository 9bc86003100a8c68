"""Methods of System along a motion: simulation, sensitivity, inverse dynamics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..foundation.lazy_import import lazy_module

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike

    from ..analysis.drives.result import Drive
    from ..analysis.sensitivity.result import Sensitivity
    from ..assembly.arguments import Key, Numbers, Progress, StartLike, Times, Tolerance
    from ..model.event import Event
    from ..trajectory import Trajectory
    from . import System


def simulate(
    self: System, values: Numbers | None = None, start: StartLike | None = None, until: float | None = None,
    method: str = "auto", rtol: float = 1e-8, atol: Tolerance = 1e-10, times: Times | None = None,
    events: Iterable[Event] = (), progress: Progress = None, *, t: float = 0.0, guess: Numbers | None = None,
    outputs: Mapping[str, Any] | None = None, step: float | None = None, max_step: float | None = None,
    most_rows: int = 200_000, chattering: int = 100, inputs: Mapping[Any, Any] | None = None,
) -> Trajectory:  # fmt: skip
    """Simulate the motion of the system from a time to an end; see docs/simulation.md.

    Parameters
    ----------
    values, start
        Numbers of parameters, as in `at`; positions and velocities that are kept, as in `consistent`, or its result.
    until : float, optional
        End of the run; the last of `times` if it is left out.
    method : str
        Integrator, one of the table in docs/simulation.md; "auto" is dop853, with radau5 where the motion is stiff.
    rtol, atol : float
        Relative and absolute tolerances of a step, as in SciPy; `atol` may have 2 n entries, for q and v.
    times : array_like, optional
        Times of the rows; by default the accepted steps.
    events : iterable of Event
        Events in addition to those of the system.
    progress, t, guess
        Function of the time reached, by default a bar in a terminal; time of the start; guess of what `start`
        leaves open, as in `consistent`.
    outputs : mapping of str to expression, optional
        Expressions of q, q', q'', t, parameters and reactions to evaluate at the rows.
    step, max_step, most_rows, chattering
        Fixed step, as of "rattle"; longest step, for signals in Python functions; largest number of rows; number of
        events in a short time that ends it.
    inputs : mapping, optional
        Values of inputs by name or symbol, as in `with_inputs`; others are 0. See docs/inputs.md.

    Returns
    -------
    Trajectory
        The motion, complete or until it stopped: ``.outcome`` gives the reason. Ctrl-C keeps all rows.

    Raises
    ------
    ModelError, StartError
        If an argument is wrong; if no state satisfies the constraints with the start values.

    Examples
    --------
    >>> disc = lk.load("examples/models/rolling_disc.toml")
    >>> motion = disc.simulate({"Fx": 0, "M": 0}, start={"x'": 1.0}, until=2.0)
    >>> print(round(motion["x"][-1], 9))
    2.0
    """
    system = self if inputs is None else self.with_inputs(inputs)
    system = system.watch(events) if events else system
    request = lazy_module("lienket.assembly.run_request").read_run_request(
        system.numeric_system, system._numbers(values), start, until, method, rtol, atol, times, progress, t=t,
        guess=guess, outputs=outputs, step=step, most_rows=most_rows, chattering=chattering, max_step=max_step,
    )  # fmt: skip
    run = lazy_module("lienket.pipeline").motion(system.numeric_system, request)
    self._remember()
    return lazy_module("lienket.trajectory").trajectory(system, run)


def sensitivity(
    self: System, values: Numbers | None = None, start: StartLike | None = None, until: float | None = None, *,
    by: Key | Iterable[Key], of: Key | Iterable[Key] | None = None, along: bool = False, mode: str = "auto",
    method: str = "auto", rtol: float = 1e-10, atol: Tolerance = 1e-12, t: float = 0.0, guess: Numbers | None = None,
    outputs: Mapping[str, Any] | None = None, step: float | None = None, inputs: Mapping[Any, Any] | None = None,
    max_step: float | None = None,
) -> Sensitivity:  # fmt: skip
    """Differentiate the motion with respect to parameters and start values; see docs/sensitivity.md.

    Parameters
    ----------
    values, start, until
        As in `simulate`.
    by : iterable of str
        Parameters "m", inputs "F" that are numbers, and start values "x", "x'".
    of : iterable of str, optional
        Differentiated quantities "x", "x'", "x''", a multiplier "rod[0]" or an output; by default all states and
        outputs.
    along : bool
        Whether to return the derivatives at every row too.
    mode : {"auto", "forward", "adjoint"}
        One pass forward with a column for each of `by`, or one pass back with a row for each of `of`.
    method : {"auto", "dop853", "radau5"}
        Integrator.
    rtol, atol, t, guess, outputs, step, inputs, max_step
        As in `simulate`.

    Returns
    -------
    Sensitivity
        ``s["x", "m"]``, values (of x by) at the end, along, trajectory and audit.

    Raises
    ------
    LienketError
        If the run does not reach its end or cannot be differentiated.

    Examples
    --------
    >>> disc = lk.load("examples/models/rolling_disc.toml")
    >>> s = disc.sensitivity(start={"x'": 1.0}, until=2, by=["x'"], of=["x"])
    >>> print(round(s["x", "x'"], 9))
    2.0
    """
    analysis, trajectories = lazy_module("lienket.analysis.sensitivity.sensitivity"), lazy_module("lienket.trajectory")
    stated = self.with_inputs(inputs)
    system = type(self).from_statement(stated._unsampled("sensitivity"))
    question = analysis.read_question(system.statement, by, of, along, mode, method, stated._outputs(outputs))
    request = lazy_module("lienket.assembly.run_request").read_run_request(
        system.numeric_system, stated._numbers(values), start, until, method, rtol, atol, t=t, guess=guess,
        outputs=stated._outputs(outputs), step=step, most_rows=analysis.MOST_ROWS, max_step=max_step,
    )  # fmt: skip
    return analysis.sensitivity(
        system.numeric_system, question, request, lambda run: trajectories.trajectory(system, run)
    )


def drive(
    self: System, motion: Trajectory | Sequence[ArrayLike] | Mapping[Any, Any],
    drives: Mapping[str, Mapping[Any, Any]] | None = None, values: Numbers | None = None,
    weights: Mapping[str, float] | None = None, *, times: Times | None = None, start: Numbers | None = None,
    inputs: Mapping[Any, Any] | None = None,
) -> Drive:  # fmt: skip
    """Compute the drives that produce a motion (inverse dynamics); see docs/drives.md.

    Parameters
    ----------
    motion : Trajectory, tuple or mapping
        A trajectory; rows (t, q), (t, q, v) or (t, q, v, a); columns by "t" and names, with derivatives by splines
        where they are missing; or laws of time by output (a coordinate or an expression).
    drives : mapping, optional
        {name: {coordinate: factor}}; by default the drives of the system's programs.
    values : mapping, optional
        Numbers of parameters.
    weights : mapping of str to float, optional
        Diagonal of W by drive, 1 by default: u^T W u is least if there are more drives than needed.
    times : array_like, optional
        Rows for laws of outputs.
    start : mapping, optional
        Guess of the positions at the first time, for laws of outputs.
    inputs : mapping, optional
        Values of inputs, as in `simulate`.

    Returns
    -------
    Drive
        t, drives by name (N each), power, reactions, multipliers, residual, audit and sentence.

    Raises
    ------
    ModelError
        If the request is incomplete or inconsistent; all faults are listed.

    Examples
    --------
    >>> x = lk.coordinates("x")
    >>> mass = lk.System("mass", [x], kinetic=der(x)**2)
    >>> mass.drive({x: lk.t**2}, {"F": {x: 1}}, times=[0, 1]).drives["F"].round(9)
    array([4., 4.])
    """
    analysis = lazy_module("lienket.analysis.drives.drive")
    system = self.with_inputs(inputs)
    statement, values = system._unsampled("drive"), system._numbers(values)
    return analysis.drive(statement, motion, drives, values, weights, times, start)
