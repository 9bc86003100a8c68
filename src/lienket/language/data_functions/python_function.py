"""PythonFunction: a Python callable of floats, such as a controller, used as a function in formulas.

u = lk.function("u", controller)      u(t, x)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from ...errors import Faults
from ...foundation.frozen_dataclass import dataclass
from ...foundation.nearest_name import with_suggestions
from ..expression import Expression, ExpressionLike
from ..names import identifier_problem
from ..short_text import short_text
from .applied import applied

ARGUMENT_LIMIT = 16  # [arguments] largest number of arguments of a Python function
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


@dataclass(frozen=True, eq=False)
class PythonFunction:
    """A callable f(float, ...) -> float; made by `lk.function`.

    `derivatives` holds one callable df/da_i per argument, or None where there is none. Two are equal if they have
    equal names and identical callables.
    """

    name: str
    call: Callable[..., float]
    arguments: int = 1
    derivatives: tuple[Callable[..., float] | None, ...] = ()

    @cached_property
    def identity(self) -> tuple[object, ...]:
        """Number of arguments and identities of the callables."""
        slopes = tuple(0 if d is None else id(d) for d in self.derivatives)
        return "function", self.arguments, id(self.call), slopes

    def callable_of(self, orders: tuple[int, ...]) -> Callable[..., float] | None:
        """Return the callable of the function (all orders 0) or of a first derivative; None if there is none."""
        if not any(orders):
            return self.call
        index = orders.index(max(orders))
        return self.derivatives[index] if sum(orders) == 1 and self.derivatives else None

    def unavailable(self, orders: tuple[int, ...]) -> str:
        """Return a sentence that states why the derivative of these orders is unavailable, or an empty text."""
        if self.callable_of(orders) is not None:
            return ""
        if sum(orders) > 1:
            return (
                f"A second derivative of {self.name} is needed here, but a Python function has first derivatives only. "
                "Use it only in forces, or define it as a table (lk.table)."
            )
        ordinal = _ordinal(orders.index(1))
        return (
            f"The derivative of {self.name} by its {ordinal} argument is needed here, but was not given. "
            f"Give it in lk.function({self.name!r}, ..., derivatives=[...]), one callable for each argument."
        )

    def __call__(self, *arguments: ExpressionLike) -> Expression:
        """Return the expression name(*arguments)."""
        return applied(self, arguments)

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, PythonFunction) and self.name == other.name
        return same and self.identity == getattr(other, "identity", None)

    def __hash__(self) -> int:
        return hash((self.name, self.identity))

    def __reduce__(self) -> Any:
        return PythonFunction, (self.name, self.call, self.arguments, self.derivatives)

    def __repr__(self) -> str:
        return f"function {self.name!r} of {self.arguments}: {getattr(self.call, '__qualname__', repr(self.call))}"


@with_suggestions
def function(
    name: str,
    call: Callable[..., float],
    arguments: int | None = None,
    derivatives: Sequence[Callable[..., float] | None] | None = None,
) -> PythonFunction:
    """Return a function for formulas that calls a Python callable, such as a controller.

    A system with such a function cannot be saved to a file.

    Parameters
    ----------
    name : str
        Name of the function in formulas.
    call : callable
        Function of floats that returns a float.
    arguments : int, optional
        Number of arguments, 1 to 16; by default that of the positional parameters without a default value.
    derivatives : sequence of callable or None, optional
        Partial derivative by each argument. They are needed only where the function is differentiated: in a potential
        or in a constraint.

    Returns
    -------
    PythonFunction
        Function for formulas: ``u(lk.t, x)``.

    Raises
    ------
    ModelError
        With all faults of the arguments.

    Examples
    --------
    >>> u = lk.function("u", lambda t, x: -3*x)
    >>> u(lk.t, lk.coordinates("x"))
    u(t, x(t))
    """
    faults = Faults()
    problem = identifier_problem(name) if isinstance(name, str) else f"a name must be a text, not {name!r}"
    if problem:
        faults.add("name", problem)
    if arguments is None:
        arguments = _count_arguments(call, faults)
    elif isinstance(arguments, bool) or not isinstance(arguments, int) or not 1 <= arguments <= ARGUMENT_LIMIT:
        faults.add(
            "arguments", f"the number of arguments must be an integer from 1 to {ARGUMENT_LIMIT}, not {arguments!r}"
        )
        arguments = 0
    _check_call(call, "call", arguments, faults)
    slopes = _read_derivatives(derivatives, arguments, faults)
    faults.raise_any(f"The function {name!r}")
    return PythonFunction(name, call, arguments, slopes)


def _count_arguments(call: object, faults: Faults) -> int:
    """Return the number of arguments that the signature of a callable states; 0 and a fault if it states none."""
    if not callable(call):
        return 0  # reported by the check of the callable
    count = getattr(call, "nin", None)
    if isinstance(count, int):
        return count  # a function of NumPy
    try:
        parameters = list(inspect.signature(call).parameters.values())
    except (TypeError, ValueError):
        parameters = []  # a callable written in C may have no signature
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = [p for p in positional if p.default is p.empty] or positional[:1]
    several = any(p.kind == p.VAR_POSITIONAL for p in parameters)
    if not required or several or len(required) > ARGUMENT_LIMIT:
        what = f"the signature of the callable does not state a number from 1 to {ARGUMENT_LIMIT}"
        faults.add("arguments", what, "Give the number: lk.function(name, call, arguments=2).")
        return 0
    return len(required)


def _read_derivatives(derivatives: object, arguments: int, faults: Faults) -> tuple[Callable[..., float] | None, ...]:
    """Return the checked callables of the partial derivatives, or () if there are none."""
    if derivatives is None:
        return ()
    if isinstance(derivatives, str) or not isinstance(derivatives, Iterable):
        faults.add(
            "derivatives",
            f"a list with one callable for each argument was expected, not {short_text(repr(derivatives))}",
        )
        return ()
    slopes = tuple(derivatives)
    if arguments and len(slopes) != arguments:
        what = f"{len(slopes)} are given for {arguments} {'argument' if arguments == 1 else 'arguments'}"
        faults.add("derivatives", what, "Write None for a derivative that is not available.")
    for i, slope in enumerate(slopes):
        if slope is not None:
            _check_call(slope, f"derivatives[{i}]", arguments, faults)
    return slopes if any(slope is not None for slope in slopes) else ()


def _check_call(call: object, where: str, arguments: int, faults: Faults) -> None:
    """Add a fault if `call` is not callable with that number of arguments."""
    if not callable(call):
        faults.add(where, f"a callable was expected, not {short_text(repr(call))}")
        return
    try:
        signature = inspect.signature(call)
    except (TypeError, ValueError):
        return  # a callable written in C may have no signature
    try:
        if arguments:
            signature.bind(*[0.0] * arguments)
    except TypeError as error:
        faults.add(
            where, f"it cannot be called with {arguments} numbers: {error}", "Change arguments=... or the callable."
        )


def _ordinal(index: int) -> str:
    return _ORDINALS[index] if index < len(_ORDINALS) else f"{index + 1}th"
