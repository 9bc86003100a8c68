"""Memory of friction and drives after the end of `work`: the loads from the model, then scratch of the kernel.

F contacts with friction, p drives, k rows of programs that are kept, m of programs that are followed. The model's
function `loads` writes the first part, see `compiled.mechanics.non_ideal_loads`. Nothing here needs numba.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Loads(NamedTuple):
    """Blocks that the model's function `loads` writes."""

    counts: Any  # (4) F, p, k, m
    rows: Any  # (F) constraint row whose multiplier is the normal force of each contact
    shares: Any  # (F) push / multiplier
    directions: Any  # (F, n) direction of each push
    drives: Any  # (p, n) E^T, generalized force of each unit drive; directly after the directions
    weights: Any  # (p) weights of the drives
    least: Any  # (p) lower bounds of the drives
    most: Any  # (p) upper bounds of the drives
    kept: Any  # (k) constraint rows of programs that are kept
    P: Any  # (m, n) rows of programs that are followed
    p0: Any  # (m) their right sides, with the feedback of errors


class NonIdealScratch(NamedTuple):
    """Blocks of scratch of the kernel `solve_non_ideal`."""

    solutions: Any  # (1 + F + p, n + s) the ideal solution, then the response to each unit push and drive alone
    right_sides: Any  # (n + s) saved h and g0 of the ideal system
    pushes: Any  # (F, F + 1 + p) matrix of the friction system, push without drives, push by each unit drive
    u: Any  # (p) the drives
    M: Any  # (k + m, p) response of each program row to each unit drive
    b: Any  # (k + m) prescribed values of the program rows
    followed: Any  # (m, m) products of the rows of followed programs on the free motions, and their factors
    bounded: Any  # scratch of `bounded_drives`


def loads_blocks(n: int, F: int, p: int, k: int, m: int) -> Loads:
    """Return the shapes of `Loads`."""
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


def non_ideal_scratch_blocks(n: int, s: int, F: int, p: int, k: int, m: int) -> NonIdealScratch:
    """Return the shapes of `NonIdealScratch`."""
    return NonIdealScratch(
        solutions=(1 + F + p, n + s),
        right_sides=(n + s,),
        pushes=(F, F + 1 + p),
        u=(p,),
        M=(k + m, p),
        b=(k + m,),
        followed=(m, m),
        bounded=(bounded_size(k + m, p),),
    )


def bounded_size(m: int, p: int) -> int:
    """Return the length of the scratch of `bounded_drives.solve_drives` for m equations and p drives."""
    return 2 * (m + p) * p + 3 * (m + p) + 3 * p
