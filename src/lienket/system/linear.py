"""Methods of System about a state: equilibria, and the linear system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from ..foundation.lazy_import import lazy_module

if TYPE_CHECKING:
    from ..analysis.equilibrium.result import Equilibria, Equilibrium
    from ..analysis.linearization.result import Linearization
    from ..analysis.linearization.symbolic_system import LinearFormulas
    from ..assembly.arguments import Key, Numbers, StateObject
    from ..language.expression import ExpressionLike
    from . import System

Names = Iterable[Any] | Mapping[Any, Any] | None
Outputs = Mapping[str, Any] | None
Coefficients: TypeAlias = "Numbers | Mapping[Any, ExpressionLike] | None"  # expressions with `symbolic`
Point: TypeAlias = "StateObject | Coefficients"


@overload
def linearize(  # noqa: D418
    self: System, q: Point = ..., v: Coefficients = ..., t: ExpressionLike | None = ..., values: Coefficients = ..., *,
    inputs: Names = ..., outputs: Outputs = ..., independent: Names = ..., symbolic: Literal[False] = ...,
) -> Linearization:  # fmt: skip
    """Linearize in numbers."""


@overload
def linearize(  # noqa: D418
    self: System, q: Coefficients = ..., v: Coefficients = ..., t: ExpressionLike | None = ...,
    values: Coefficients = ..., *, inputs: Names = ..., outputs: Outputs = ..., independent: Names = ...,
    symbolic: Literal[True],
) -> LinearFormulas:  # fmt: skip
    """Linearize as formulas."""


def linearize(
    self: System, q: Point = None, v: Coefficients = None, t: ExpressionLike | None = None,
    values: Coefficients = None, *, inputs: Names = None, outputs: Outputs = None, independent: Names = None,
    symbolic: bool = False,
) -> Linearization | LinearFormulas:  # fmt: skip
    """Linearize the system about a state: x' = A x + B u, y = C x + D u; see docs/linearization.md.

    Parameters
    ----------
    q, v, t, values
        State on the constraints, as in `at`; `v` is zero by default. `q` may also be a Start or an Equilibrium;
        without q and v it is the position of rest: q = 0 if that is an equilibrium, otherwise the only one. With
        `symbolic`, mappings to expressions, 0 by default; only `values` then replace parameters by numbers.
    inputs : mapping, or iterable of inputs, parameters or names, optional
        Inputs and parameters whose deviations are u; by default all inputs that are numbers, 0 if nothing is
        stated, and whose derivatives do not enter. A mapping states inputs as in `simulate`.
    outputs : mapping of str to expression, optional
        Outputs y of q, q', q'', t, parameters and the multipliers lambda_1, lambda_2, ... of the rows.
    independent : iterable of str, optional
        Positions "x" and velocities "x'" that are the states x; by default a well-conditioned choice.
    symbolic : bool
        Whether to return formulas (SymPy), for small systems.

    Returns
    -------
    Linearization or LinearFormulas
        A, B, C, D; in numbers also eigenvalues, modes and stable.

    Raises
    ------
    LienketError
        If the state violates its constraints or the rows are dependent only there; without q, if there is no
        position of rest or more than one.

    Examples
    --------
    >>> pendulum = lk.load("examples/models/slider_pendulum.toml")
    >>> linear = pendulum.linearize()
    >>> linear.A.shape, linear.stable
    ((4, 4), True)
    """
    stated = inputs if isinstance(inputs, Mapping) else None
    system = self.with_inputs(stated)
    names = lazy_module("lienket.analysis.linearization.deviations").deviating(system.statement, inputs)
    values, outputs, statement = system._numbers(values), system._outputs(outputs), system._unsampled("linearize")
    if symbolic:
        from ..analysis.linearization.symbolic import linear_formulas

        return linear_formulas(statement, q, v, 0.0 if t is None else t, values, names, outputs, independent)
    if q is None and v is None:
        q = lazy_module("lienket.analysis.equilibrium.rest_position").rest_position(
            statement, values, 0.0 if t is None else t
        )
    return lazy_module("lienket.analysis.linearization.numeric").linearize(
        statement, q, v, t, values, names, outputs, independent
    )


@overload
def equilibrium(  # noqa: D418
    self: System, values: Numbers | None = ..., guess: Numbers | None = ..., *, t: float = ...,
    fixed: Names = ..., over: None = ..., inputs: Mapping[Any, Any] | None = ...,
) -> Equilibrium:  # fmt: skip
    """Compute one position."""


@overload
def equilibrium(  # noqa: D418
    self: System,
    values: Numbers | None = ...,
    guess: Numbers | None = ...,
    *,
    t: float = ...,
    fixed: Names = ...,
    over: tuple[Key, Iterable[float]],
    inputs: Mapping[Any, Any] | None = ...,
) -> Equilibria:
    """Compute a branch over a parameter."""


def equilibrium(
    self: System, values: Numbers | None = None, guess: Numbers | None = None, *, t: float = 0.0,
    fixed: Names = None, over: tuple[Key, Iterable[float]] | None = None, inputs: Mapping[Any, Any] | None = None,
) -> Equilibrium | Equilibria:  # fmt: skip
    """Compute an equilibrium near a guess, or a branch of equilibria over a parameter; see docs/equilibrium.md.

    Parameters
    ----------
    values : mapping, optional
        Numbers of parameters, as in `at`.
    guess : mapping or sequence, optional
        Positions by name, 0 by default, or all n in order.
    t : float
        Time.
    fixed : mapping or iterable of names, optional
        Coordinates held at a value or at their guess; the reaction of the constraint "x held" holds x.
    over : (parameter, numbers), optional
        Parameter and at least two values, strictly increasing or decreasing, over which the branch is followed.
    inputs : mapping, optional
        Values of inputs, as in `simulate`.

    Returns
    -------
    Equilibrium or Equilibria
        q, multipliers, reactions, stiffness, stable and frequencies; with `over` the branch.

    Raises
    ------
    LienketError
        If no equilibrium is found from the guess.

    Examples
    --------
    >>> rods = lk.load("examples/models/double_pendulum_cartesian.toml")
    >>> rest = rods.equilibrium(guess={"y1": -1, "y2": -1.5})
    >>> print(round(rest["y1"], 9), round(rest["y2"], 9), rest.stable)
    -0.9 -1.55 True
    """
    system = self.with_inputs(inputs)
    return lazy_module("lienket.analysis.equilibrium.equilibrium").equilibrium(
        system._unsampled("equilibrium"), guess, system._numbers(values), t, fixed, over
    )
