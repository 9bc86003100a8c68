"""Impulses that only push, without friction: the linear complementarity problem of an impact.

    y = S Lambda + y0,      Lambda >= 0,      y >= 0,      Lambda^T y = 0,      S = B^T B (c x c)

B (k x c) are the contact rows in coordinates of unit inertia. x = B Lambda, the jump of velocity in these coordinates,
is the shortest vector with B^T x + y0 >= 0, hence unique; Lambda is not, where contacts are redundant.

The dual method of D. Goldfarb and A. Idnani (Mathematical Programming 27, 1983, 1-33) takes up the contact that
approaches most, lets go those whose impulse would become negative, and repeats this. The length of x grows each time
that a contact is taken up, so that no set of contacts returns and the method ends. A contact that depends on the others
and has none to replace contradicts them. B is used, not S: the condition of S is that of B squared, which matters for
light bodies between heavy ones.
"""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array

APPROACH_SLACK = 1e-12  # [1] approach after an impact, relative to its terms, that counts as rounding
ROW_RANK_TOLERANCE = 1e-10  # [1] singular value of unit rows, relative to the largest, that counts as zero
DEPENDENT_ROW = 1e-11  # [1] part of a unit row outside the span of the others, below which it depends on them
SHARE_RANK_TOLERANCE = 1e-11  # [1] singular value, relative to the largest, that is zero where an impulse is shared
SHARED_JUMP_TOLERANCE = 1e-13  # [1] change of the jump, relative to its terms, by which impulses may be shared
SOLUTION_TOLERANCE = 1e-9  # [1] violation of a condition of the solution, relative to its terms, that is refused


def pushing_impulses(B: Array, y0: Array) -> tuple[Array, Array] | None:
    """Return impulses Lambda (c) that only push and let no contact approach, and the jump x = B Lambda (k).

    None if there are none. Redundant contacts share an impulse evenly if all of them push then. Where large impulses
    cancel at a light body, x is more accurate than B Lambda.

    Parameters
    ----------
    B : ndarray
        Rows of the contacts in coordinates of unit inertia, as columns (k x c).
    y0 : ndarray
        Velocities of the contacts without impulses (c).
    """
    if not (np.isfinite(B).all() and np.isfinite(y0).all()):
        return None
    if not (y0 < 0).any():
        return np.zeros(len(y0)), np.zeros(len(B))
    if len(y0) == 1 and (square := float(B[:, 0] @ B[:, 0])) > 0:
        return -y0 / square, B[:, 0] * (-y0[0] / square)
    impulses = np.zeros(len(y0))
    sizes = np.sqrt((B * B).sum(axis=0))
    moved = np.flatnonzero(sizes > 0)
    rates = y0[moved] / sizes[moved]
    basis, values, columns = np.linalg.svd(B[:, moved] / sizes[moved], full_matrices=False)
    rank = int(np.sum(values > ROW_RANK_TOLERANCE * values.max(initial=0.0)))
    columns = values[:rank, None] * columns[:rank]
    found, reduced = _shortest_jump(columns, rates)
    impulses[moved] = _shared(columns, rates, found, reduced) / sizes[moved]
    jump = basis[:, :rank] @ reduced
    return (impulses, jump) if _is_solution(B, y0, impulses, jump) else None


def _shortest_jump(B: Array, y0: Array) -> tuple[Array, Array]:
    """Return impulses (c) and the shortest jump (k), for columns of unit length; what contradicts is left out."""
    pushing: list[int] = []
    # Contacts that contradict those that push, or approach by rounding only: the solution is verified at its end.
    refused: list[int] = []
    seen: set[frozenset[int]] = set()
    u, x = np.zeros(len(y0)), np.zeros(len(B))
    while len(y0):
        y = B.T @ x + y0
        size = np.abs(B).T @ np.abs(x) + np.abs(y0) + 1e-300
        approach = np.where(np.isin(np.arange(len(y0)), pushing + refused), 0.0, -y / size)
        entering = int(np.argmax(approach))
        if approach[entering] <= APPROACH_SLACK:
            return u, x
        taken = _take_up(B, y0, entering, pushing, u)
        if taken is None:
            refused.append(entering)
            continue
        pushing, refused = taken[0], []  # the further contact may make the refused ones approach
        u, x = _exact(B, y0, *taken)
        if frozenset(pushing) in seen:
            return u, x  # what still approaches does so by rounding
        seen.add(frozenset(pushing))
    return u, x


def _take_up(B: Array, y0: Array, entering: int, before: list[int], impulses: Array) -> tuple[list[int], Array] | None:
    """Return the contacts that push with one more, without those that no longer do, and their impulses (c).

    None if the further contact contradicts the others, or approaches by rounding only: an impulse would pull.
    """
    column, pushing, u = B[:, entering], list(before), impulses.copy()
    rate = float(column @ (B @ u) + y0[entering])
    if rate >= 0:
        return None
    while True:
        Q, R = np.linalg.qr(B[:, pushing])
        along = Q.T @ column
        outside = column - Q @ along
        outside -= Q @ (Q.T @ outside)
        square = float(outside @ outside)
        falls = np.linalg.solve(R, along) if pushing else along
        limits = [(u[j] / f, j) for j, f in zip(pushing, falls, strict=True) if f > 0]
        most, leaving = min(limits, default=(np.inf, -1))
        full = -rate / square if square > DEPENDENT_ROW**2 else np.inf
        step = min(most, full)
        if step == np.inf:
            return None
        u[pushing] -= step * falls
        u[entering] += step
        if full <= most:
            return [*pushing, entering], u
        rate += step * square
        u[leaving] = 0.0
        pushing.remove(leaving)


def _exact(B: Array, y0: Array, pushing: list[int], u: Array) -> tuple[Array, Array]:
    """Return the impulses and the jump with y = 0 for the pushing contacts: x = -Q R^-T y0, u = R^-1 Q^T x.

    They are exact to rounding. The impulses given are kept where rounding would make one of them pull.
    """
    Q, R = np.linalg.qr(B[:, pushing])
    right = np.linalg.solve(R.T, -y0[pushing])
    exact = np.zeros(len(u))
    exact[pushing] = np.linalg.solve(R, right)
    return (exact, Q @ right) if exact.min() >= 0 else (u, B @ u)


def _shared(B: Array, y0: Array, u: Array, x: Array) -> Array:
    """Return the impulses of least norm with the same jump x, if they push; otherwise those given, u."""
    closed = B.T @ x + y0 <= APPROACH_SLACK * (np.abs(B).T @ np.abs(x) + np.abs(y0))
    closed |= u > 0
    if closed.sum() <= np.count_nonzero(u):
        return u
    even = np.zeros(len(u))
    even[closed] = np.linalg.lstsq(B[:, closed], x, rcond=SHARE_RANK_TOLERANCE)[0]
    change = np.abs(B @ even - x)
    return even if even.min() >= 0 and np.all(change <= SHARED_JUMP_TOLERANCE * (np.abs(B) @ np.abs(u))) else u


def _is_solution(B: Array, y0: Array, impulses: Array, x: Array) -> bool:
    """Return whether the impulses push and cause the jump x, no contact approaches, and none that pushes separates."""
    y, terms = B.T @ x + y0, np.abs(B) @ np.abs(impulses)
    slack = SOLUTION_TOLERANCE * (np.sqrt((B * B).sum(axis=0)) * np.linalg.norm(x) + np.abs(y0))
    causes = np.all(np.abs(B @ impulses - x) <= SOLUTION_TOLERANCE * (terms + np.linalg.norm(terms)))
    separate = np.any((impulses > 0) & (y > slack))
    return bool(causes and np.all(impulses >= 0) and np.all(y >= -slack) and not separate)
