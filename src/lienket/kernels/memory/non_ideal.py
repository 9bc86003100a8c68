"""The memory of what is not ideal, after the end of `work`: what the model writes, then what the kernel needs.

F contacts with friction, p drives, k rows of programs that are kept, m of programs that are followed. The model writes
by its function `loads`, see `compiled.mechanics.non_ideal_loads`. Nothing here needs numba.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Loads(NamedTuple):
    """Blocks of what the model's function `loads` writes."""

    counts: Any  # (4) F, p, k, m
    rows: Any  # (F) the row of the constraints whose multiplier drives each contact
    shares: Any  # (F) push / multiplier
    directions: Any  # (F, n) direction of each push
    drives: Any  # (p, n) E, what each drive does to the equations; right after the directions
    weights: Any  # (p) weights of the drives
    least: Any  # (p) lower bounds of the drives
    most: Any  # (p) upper bounds of the drives
    kept: Any  # (k) which rows of the constraints are programs that are kept
    P: Any  # (m, n) rows of programs that are followed
    p0: Any  # (m) their right sides, with the feedback of errors


class Closing(NamedTuple):
    """Blocks in which the kernel `closing` works."""

    solutions: Any  # (1 + F + p, n + s) the ideal solution, then what each push and each drive does alone
    right_sides: Any  # (n + s) h and g0 of the ideal system, kept
    pushes: Any  # (F, F + 1 + p) matrix of the pushes, push without drives, push by each drive
    u: Any  # (p) the drives
    M: Any  # (k + m, p) what each drive does to what is asked
    b: Any  # (k + m) what is asked
    bounded: Any  # scratch of `bounded_drives`


def loads_blocks(n: Any, F: Any, p: Any, k: Any, m: Any) -> Any:
    """The shapes of `Loads`."""
    return Loads(
        counts=(4,),
        rows=(F,),
        shares=(F,),
        directions=(F, n),
        drives=(p, n),
        weights=(p,),
        least=(p,),
        most=(p,),
        kept=(k,),
        P=(m, n),
        p0=(m,),
    )


def closing_blocks(n: Any, s: Any, F: Any, p: Any, k: Any, m: Any) -> Any:
    """The shapes of `Closing`."""
    return Closing(
        solutions=(1 + F + p, n + s),
        right_sides=(n + s,),
        pushes=(F, F + 1 + p),
        u=(p,),
        M=(k + m, p),
        b=(k + m,),
        bounded=(bounded_size(k + m, p),),
    )


def bounded_size(m: Any, p: Any) -> Any:
    """The scratch of `bounded_drives.drive` for m equations and p drives."""
    return 2 * (m + p) * p + 3 * (m + p) + 3 * p
