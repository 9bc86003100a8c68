"""Methods of System at single states: all quantities in numbers, consistent starts, machine code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..foundation.lazy_import import lazy_module

if TYPE_CHECKING:
    from ..assembly.arguments import Numbers, StartLike, StateLike
    from ..assembly.evaluation.compiled_system import CompiledSystem
    from ..kernels.state import State
    from ..simulation.start.start import Start
    from . import System


def at(
    self: System,
    q: StateLike,
    v: Numbers | None = None,
    t: float | None = None,
    values: Numbers | None = None,
    *,
    tolerance: float | None = None,
    inputs: Mapping[Any, Any] | None = None,
) -> State:
    """Return all quantities of the system at one state, in numbers.

    The state may violate its constraints; the audit reports the residuals.

    Parameters
    ----------
    q, v : mapping or sequence
        Positions and velocities (n each), by name or symbol, or in the order of the coordinates; without v the system
        is at rest. `q` may also be a Start, a State or an Equilibrium, with its own velocities and time.
    t : float, optional
        Time, 0 by default.
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
    system = self.with_inputs(inputs)
    numeric, values = system.numeric_system, system._numbers(values)
    q, v, t = lazy_module("lienket.model.input.numbers").whole_state(q, v, t, len(numeric.names))
    if numeric.sampled:
        numeric = lazy_module("lienket.assembly.description").at_samples(system.statement, q, v, t)
    state: State = lazy_module("lienket.pipeline").state(numeric, q, v, t, values, tolerance)
    self._remember()
    return state


def consistent(
    self: System, start: StartLike | None = None, values: Numbers | None = None, *, guess: Numbers | None = None,
    t: float = 0.0, others: bool = True, inputs: Mapping[Any, Any] | None = None,
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
    system = self.with_inputs(inputs)
    pipeline, numeric = lazy_module("lienket.pipeline"), system.numeric_system
    solved: Start = pipeline.start(numeric, start, system._numbers(values), guess, t, others)
    self._remember()
    return solved


def compile(self: System, outputs: Mapping[str, Any] | None = None) -> CompiledSystem:
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
    compilation = lazy_module("lienket.assembly.evaluation.compilation")
    return compilation.compiled_system(self._closed, self._outputs(outputs))
