"""Inputs: functions of time that are no coordinates, such as the force of a motor or the position of a guide.

    F = lk.inputs("F")           F(t), a SymPy function of time, as `dynamicsymbols` makes them

What an input is may be stated when numbers are asked for: a number, an expression, a table, a Python function, or a
function that is called at sample times only, `Sampled`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeAlias

from ..errors import LienketError
from ..foundation.frozen_dataclass import dataclass
from .expression import Coordinate, Expression
from .symbols import coordinates

InputValue: TypeAlias = "Expression | float | Sampled | None"  # what an input is; None while it is not stated


def inputs(names: str, **assumptions: bool) -> Any:
    """Return inputs F(t), one SymPy function of time for each name, for ``System(..., inputs=[F])``.

    Parameters
    ----------
    names : str
        Names separated by spaces or commas.
    **assumptions : bool
        Assumptions of SymPy, such as real=True.

    Returns
    -------
    Expr or tuple of Expr
        One input for one name, a tuple for several.

    Examples
    --------
    >>> x, F = lk.coordinates("x"), lk.inputs("F")
    >>> cart = lk.System("cart", [x], kinetic=der(x)**2, forces={x: F}, inputs=[F])
    >>> print(round(cart.simulate(inputs={"F": 4}, until=1)["x"][-1], 9))
    1.0
    """
    return coordinates(names, **assumptions)


@dataclass(frozen=True)
class InputFunction:
    """An input as a function of data in SymEngine, where it may be differentiated any number of times."""

    name: str
    symbol: Coordinate

    arguments = 1

    @property
    def identity(self) -> tuple[str, Coordinate]:
        """The symbol, by which two inputs of equal name are compared."""
        return "input", self.symbol

    def unavailable(self, orders: tuple[int, ...]) -> str:
        """Return why the input has no number: it has to be replaced before code is made."""
        return f"The input {self.name} has no value here."


@dataclass(frozen=True, eq=False)
class Sampled:
    """A function of the state that is called at sample times only, such as a digital controller.

    At t0, t0 + every, t0 + 2 every, ... (t0 is the start of the run) `function(t, q, v)` is called with the positions
    and velocities in the order of the coordinates. Its result holds until the next sample: a number, or a mapping from
    names of inputs to numbers if it serves several. Steps of the integrator end at the sample times.

    Parameters
    ----------
    function : callable
        function(t, q, v) -> float or mapping of str to float; q and v are arrays (n).
    every : float
        Time between two samples, positive.

    Examples
    --------
    >>> x, F = lk.coordinates("x"), lk.inputs("F")
    >>> cart = lk.System("cart", [x], kinetic=der(x)**2/2, forces={x: F}, inputs=[F])
    >>> motion = cart.simulate(inputs={"F": lk.Sampled(lambda t, q, v: -4*q[0] - 4*v[0], every=0.01)},
    ...                        start={"x": 1.0}, until=4)
    >>> bool(abs(motion["x"][-1]) < 0.01)
    True
    """

    function: Callable[..., Any]
    every: float

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise LienketError(f"lk.Sampled takes a function of (t, q, v), not {self.function!r}.")
        try:
            inspect.signature(self.function).bind(0.0, (), ())
        except TypeError as error:
            raise LienketError(f"The function of lk.Sampled must take (t, q, v): {error}.") from None
        except ValueError:
            pass  # a callable written in C may have no signature
        try:
            every = float(self.every)
        except (TypeError, ValueError):
            every = 0.0
        if not 0 < every < float("inf"):
            raise LienketError(f"The time between two samples, `every`, must be a positive number, not {self.every!r}.")
        object.__setattr__(self, "every", every)
