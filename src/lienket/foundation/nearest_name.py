"""Suggestions for misspelt names, and for misspelt names of arguments as Python 3.13 gives them itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeVar, cast

NAME_SIMILARITY_CUTOFF = 0.6  # [1] similarity ratio of difflib from which a known name is suggested

Function = TypeVar("Function", bound=Callable[..., Any])


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most similar to `name`, or None if there is no similar one."""
    name, known = str(name), list(known)
    folded = {k.lower(): k for k in known}
    if name.lower() in folded:
        return folded[name.lower()]
    import difflib  # imported here because only error messages need it

    matches = difflib.get_close_matches(name, known, n=1, cutoff=NAME_SIMILARITY_CUTOFF)
    return matches[0] if matches else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ', did you mean ...?' with the nearest known name, or an empty text; it may end a sentence."""
    nearest = nearest_name(name, known)
    return f", did you mean {nearest!r}?" if nearest else ""


def with_suggestions(function: Function) -> Function:
    """Return the function with suggestions in the TypeError of a call with an unknown keyword."""

    @wraps(function)
    def call(*values: Any, **keywords: Any) -> Any:
        try:
            return function(*values, **keywords)
        except TypeError as error:
            inside = error.__traceback__.tb_next is not None  # type: ignore[union-attr]  # not by the call itself
            message = "" if inside else _unknown_keyword(function, keywords)
            if not message:
                raise
        raise TypeError(message)

    return cast(Function, call)


def _unknown_keyword(function: Callable[..., Any], keywords: Iterable[str]) -> str:
    """Return the message about keywords that are no arguments of a function, or an empty text."""
    from inspect import signature  # imported here because only error messages need it

    known = [name for name in signature(function).parameters if name != "self"]
    label = function.__qualname__.removesuffix(".__init__")
    return unknown_arguments(label, [name for name in keywords if name not in known], known)


def unknown_arguments(label: str, unknown: Iterable[str], known: Iterable[str]) -> str:
    """Return the message about keywords that are no arguments of a function or class, or an empty text."""
    known = list(known)
    sentences = [f"{label} has no argument {name!r}{did_you_mean(name, known) or '.'}" for name in unknown]
    names = f"Its argument is {known[0]}." if len(known) == 1 else f"Its arguments are {', '.join(known)}."
    return " ".join([*sentences, names]) if sentences else ""
