"""System, the user's object: a thin interface to derivation, assembly and analysis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..foundation.lazy_import import lazy_module
from .runs import RunnableSystem

if TYPE_CHECKING:
    from ..analysis.drives.result import Drive
    from ..analysis.sensitivity.result import Sensitivity
    from ..assembly.compiled_system import CompiledSystem
    from ..kernels.state import State
    from ..simulation.start.start import Start
    from ..trajectory import Trajectory


class System(RunnableSystem):
    """Mechanical system: generalized coordinates, energies, forces and the constraints added so far.

    A system never changes: `constrain`, `release` and `watch` return new systems. Two systems with equal statements
    are equal.

    Parameters
    ----------
    name : str
        Any printable text.
    coordinates : iterable
        Generalized coordinates q_i(t), see `lk.coordinates`.
    kinetic : expression, optional
        Kinetic energy T(q, q', t), at most quadratic in the velocities; required unless `inertia` is given.
    inertia : matrix, optional
        Symmetric matrix A(q, t) (n x n) of T = q'^T A q'/2, instead of `kinetic`.
    potential : expression
        Potential energy V(q, t).
    forces : mapping, optional
        Generalized force Q_i(q, q', t) by coordinate.
    loads : iterable of Force
        Forces applied at points, see `lk.Force`.
    dissipation : expression
        Rayleigh's function R(q, q', t); its generalized force is -dR/dq'.
    values : mapping, optional
        Default numbers of parameters, by symbol or name. A name may be that of a parameter which a later constraint
        brings; one that nothing uses is an error as soon as numbers are computed.
    units : mapping, optional
        Unit labels of coordinates, inputs and parameters, by symbol or name.
    inputs : iterable
        Functions of time F(t) that are no coordinates, see `lk.inputs`.

    Raises
    ------
    ModelError
        With all faults of the statement.

    Examples
    --------
    >>> m, g, l = lk.parameters("m g l")
    >>> x, y = lk.coordinates("x y")
    >>> mass = lk.System("mass", [x, y], kinetic=m*(der(x)**2 + der(y)**2)/2, potential=m*g*y)
    >>> mass.constrain("rod", x**2 + y**2 - l**2)
    System 'mass' in x, y
      T = m*(x'^2 + y'^2)/2
      V = m*g*y
      rod: x^2 + y^2 - l^2 = 0  (holonomic)
    """

    __slots__ = ()

    # Numbers

    def at(
        self, q: Any, v: Any, t: float = 0.0, values: Any = None, *, tolerance: float | None = None, inputs: Any = None
    ) -> State:
        """Return all quantities of the system at one state, in numbers.

        The state may violate its constraints; the audit reports the residuals.

        Parameters
        ----------
        q, v : mapping or sequence
            Positions and velocities (n each), by name or symbol, or in the order of the coordinates.
        t : float
            Time.
        values : mapping, optional
            Numbers of parameters; the others are those of the system.
        tolerance : float, optional
            A row is dependent if its part independent of the rows before it, relative to the row in the metric of A,
            is below this number (1e-7).
        inputs : mapping, optional
            Values of inputs, as in `simulate`.

        Returns
        -------
        State
            A, h, G, g0, D, W, accelerations (n), reaction (n), reactions by name (n), verdicts and audit.

        Raises
        ------
        ModelError
            If a number is missing or an argument is wrong.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> disc.at([0, 0.37, 0], [0, 0, 0]).reactions["contact"]
        array([ 0.   , 23.163,  0.   ])
        """
        state, system = lazy_module("lienket.assembly.state"), self.with_inputs(inputs)
        return state.state(system.statement, q, v, t, system._numbers(values), tolerance)

    def consistent(
        self, start: Any = None, values: Any = None, *, guess: Any = None, t: float = 0.0, others: bool = True,
        inputs: Any = None,
    ) -> Start:  # fmt: skip
        """Return positions and velocities that satisfy the constraints at a time: ``q, v = system.consistent(...)``.

        Positions and velocities that `start` leaves open are those nearest to the guess in the metric of A. Programs
        with feedback or bounds need not be satisfied.

        Parameters
        ----------
        start : mapping or (q, v), optional
            Numbers that are kept: any "x" and "x'" (or x and der(x)), or all positions and velocities (n each).
        values : mapping, optional
            Numbers of parameters, as in `at`.
        guess : mapping, optional
            Guess of other positions and velocities; 0 where none is given.
        t : float
            Time.
        others : bool
            Whether to search for other solutions too.
        inputs : mapping, optional
            Values of inputs, as in `simulate`.

        Returns
        -------
        Start
            q, v (n each) and others.

        Raises
        ------
        StartError
            If no state satisfies the constraints with these numbers.

        Examples
        --------
        >>> disc = lk.load("examples/models/rolling_disc.toml")
        >>> q, v = disc.consistent({"x'": 0.74})
        >>> q, v
        (array([0.  , 0.37, 0.  ]), array([ 0.74,  0.  , -2.  ]))
        """
        motion = lazy_module("lienket.assembly.motion")
        system = self.with_inputs(inputs)
        return motion.consistent(system.statement, start, system._numbers(values), guess, t, others)

    def simulate(
        self, values: Any = None, start: Any = None, until: float | None = None, method: str = "auto",
        rtol: float = 1e-8, atol: Any = 1e-10, times: Any = None, events: Any = (), progress: Any = None, *,
        t: float = 0.0, guess: Any = None, outputs: Mapping[str, Any] | None = None, step: float | None = None,
        most_rows: int = 200_000, chattering: int = 100, inputs: Mapping[Any, Any] | None = None,
    ) -> Trajectory:  # fmt: skip
        """Simulate the motion of the system from a time to an end; see docs/simulation.md.

        Parameters
        ----------
        values : mapping, optional
            Numbers of parameters, as in `at`.
        start : mapping, (q, v) or Start, optional
            Positions and velocities that are kept, as in `consistent`, which computes the others.
        until : float, optional
            End of the run; the last of `times` if it is left out.
        method : {"auto", "dop853", "radau5", "bdf", "rattle", "rattle4", "ida"}
            Integrator; "auto" is dop853, with radau5 where the motion is stiff.
        rtol, atol : float
            Relative and absolute tolerances of a step, as in SciPy; `atol` may have 2 n entries, for q and v.
        times : array_like, optional
            Times of the rows; without it rows are the accepted steps.
        events : iterable of Event
            Events in addition to those of the system.
        progress, t, guess
            Function of the time reached, by default a bar in a terminal; time of the start; guess of what `start`
            leaves open, as in `consistent`.
        outputs : mapping of str to expression, optional
            Expressions of q, q', q'', t, parameters and reactions to evaluate at the rows.
        step, most_rows, chattering
            Fixed step size of "rattle" and "rattle4"; largest number of rows, beyond which every n-th step is stored;
            number of events in a short time that ends the run.
        inputs : mapping, optional
            Values of inputs by name or symbol: a number, an expression of q, q', t and parameters, a table or
            function of time, a Python function of (t, q, v), or `lk.Sampled`; others are 0. See docs/inputs.md.

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
        run = {"until": until, "times": times, "method": method, "rtol": rtol, "atol": atol, "step": step}
        run |= {"most_rows": most_rows, "chattering": chattering}
        arguments = (values, start, guess, t, run, progress)
        if events in ((), None) and inputs is None and outputs is None:
            return self._known_motion(*arguments) or self._simulate(*arguments, None, self._file)
        system = self.with_inputs(inputs)
        return (system.watch(events) if events else system)._simulate(*arguments, outputs, self._file)

    def compile(self, outputs: Mapping[str, Any] | None = None) -> CompiledSystem:
        """Compile the system to machine code.

        Parameters
        ----------
        outputs : mapping of str to expression, optional
            Expressions of q, q', q'', t and parameters to evaluate too.

        Returns
        -------
        CompiledSystem
            ``.evaluate(t, q, v)`` for many states at once, ``.summary()`` and ``.c_source()``. With contacts, the modes
            are decided at each state as in `at`, and there is no C source.

        Raises
        ------
        ModelError
            With all faults of the outputs.

        Examples
        --------
        >>> code = lk.load("examples/models/rolling_disc.toml").compile()
        >>> code.evaluate(0.0, [[0, 0.37, 0]], [[0, 0, 0]]).accelerations.shape
        (1, 3)
        """
        compilation = lazy_module("lienket.assembly.compilation")
        return compilation.compiled_system(self._closed, self._outputs(outputs))

    # Sensitivity

    def sensitivity(
        self, values: Any = None, start: Any = None, until: float | None = None, *, by: Any, of: Any = None,
        along: bool = False, mode: str = "auto", method: str = "auto", rtol: float = 1e-10, atol: Any = 1e-12,
        t: float = 0.0, guess: Any = None, outputs: Mapping[str, Any] | None = None, step: float | None = None,
        inputs: Mapping[Any, Any] | None = None,
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
        rtol, atol, t, guess, outputs, step, inputs
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
        trajectories = lazy_module("lienket.trajectory")
        analysis = lazy_module("lienket.analysis.sensitivity.sensitivity")
        run = {"until": until, "times": None, "method": method, "rtol": rtol, "atol": atol, "step": step}
        request = {"by": by, "of": of, "along": along, "mode": mode}
        stated = self.with_inputs(inputs)
        system = type(self).from_statement(stated._unsampled("sensitivity"))
        return analysis.sensitivity(
            system.statement,
            stated._numbers(values),
            start,
            guess,
            t,
            run,
            stated._outputs(outputs),
            request,
            lambda result: trajectories.trajectory(system, result),
        )

    # Inverse dynamics

    def drive(
        self, motion: Any, drives: Mapping[str, Mapping[Any, Any]] | None = None, values: Any = None,
        weights: Mapping[str, float] | None = None, *, times: Any = None, start: Any = None,
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
