"""PythonFunction: a Python callable of floats, such as a controller, as a function in formulas.

u = lk.function("u", controller, arguments=2)      u(t, x)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from ...foundation.frozen_dataclass import dataclass
from ..faults import Faults, short_text
from ..names import name_problem
from .applied import applied

MOST_ARGUMENTS = 16
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


@dataclass(frozen=True, eq=False)
class PythonFunction:
    """A callable f(float, ...) -> float; made by `lk.function`.

    `derivatives` holds one callable df/da_i per argument, or None where there is none. Two are equal if they have
    the same name and hold the very same callables.
    """

    name: str
    call: Callable[..., float]
    arguments: int = 1
    derivatives: tuple[Callable[..., float] | None, ...] = ()

    @cached_property
    def identity(self) -> tuple[Any, ...]:
        """Which callables it holds."""
        slopes = tuple(0 if d is None else id(d) for d in self.derivatives)
        return "function", self.arguments, id(self.call), slopes

    def callable_of(self, orders: tuple[int, ...]) -> Callable[..., float] | None:
        """The callable of the function (all orders 0) or of a first derivative; None if there is none."""
        if not any(orders):
            return self.call
        place = orders.index(max(orders))
        return self.derivatives[place] if sum(orders) == 1 and self.derivatives else None

    def unavailable(self, orders: tuple[int, ...]) -> str:
        """Why the derivative of these orders has no numbers, in a sentence; empty if it has."""
        if self.callable_of(orders) is not None:
            return ""
        if sum(orders) > 1:
            return (
                f"A second derivative of {self.name} is needed here, and a Python function has first ones at most. "
                "Use it in forces, or give a table (lk.table)."
            )
        place = _ordinal(orders.index(1))
        return (
            f"The derivative of {self.name} by its {place} argument is needed here, and none is given. "
            f"Give it: lk.function({self.name!r}, ..., derivatives=[...]), one callable for each argument."
        )

    def __call__(self, *arguments: Any) -> Any:
        """The expression name(*arguments)."""
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


def function(
    name: str,
    call: Callable[..., float],
    arguments: int = 1,
    derivatives: Sequence[Callable[..., float] | None] | None = None,
) -> PythonFunction:
    """A Python callable as a function in formulas: a controller, a force law from elsewhere.

    `name` is what formulas call it; `call` takes as many floats as `arguments` says (1 to 16) and gives one;
    `derivatives` has one callable for each argument, the partial derivative by it, or None where there is none. They
    are needed only where the function is differentiated: in a potential, in a constraint. A system with such a
    function cannot be saved to a file. All faults are reported together in one ModelError.

        u = lk.function("u", controller, arguments=2)
        forces={z: k*(road(t) - z) + u(t, z)}
    """
    faults = Faults()
    problem = name_problem(name) if isinstance(name, str) else f"a name is a text, not {name!r}"
    if problem:
        faults.add("name", problem)
    if isinstance(arguments, bool) or not isinstance(arguments, int) or not 1 <= arguments <= MOST_ARGUMENTS:
        faults.add("arguments", f"their number is a whole number from 1 to {MOST_ARGUMENTS}, not {arguments!r}")
        arguments = 0
    _check_call(call, "call", arguments, faults)
    slopes = _read_derivatives(derivatives, arguments, faults)
    faults.raise_any(f"The function {name!r}")
    return PythonFunction(name, call, arguments, slopes)


def _read_derivatives(given: Any, arguments: int, faults: Faults) -> tuple[Any, ...]:
    if given is None:
        return ()
    if isinstance(given, str) or not isinstance(given, Iterable):
        faults.add(
            "derivatives", f"a list with one callable for each argument was expected, not {short_text(repr(given))}"
        )
        return ()
    slopes = tuple(given)
    if arguments and len(slopes) != arguments:
        what = f"{len(slopes)} are given for {arguments} {'argument' if arguments == 1 else 'arguments'}"
        faults.add("derivatives", what, "Give None where there is none.")
    for i, slope in enumerate(slopes):
        if slope is not None:
            _check_call(slope, f"derivatives[{i}]", arguments, faults)
    return slopes if any(slope is not None for slope in slopes) else ()


def _check_call(call: Any, where: str, arguments: int, faults: Faults) -> None:
    if not callable(call):
        faults.add(where, f"a callable was expected, not {short_text(repr(call))}")
        return
    try:
        signature = inspect.signature(call)
    except (TypeError, ValueError):
        return  # written in C, it does not tell
    try:
        if arguments:
            signature.bind(*[0.0] * arguments)
    except TypeError as error:
        faults.add(where, f"it cannot be called with {arguments} numbers: {error}", "Change arguments=... or it.")


def _ordinal(place: int) -> str:
    return _PLACES[place] if place < len(_PLACES) else f"{place + 1}th"
