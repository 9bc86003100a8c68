"""Motions that no body resists: bodies without inertia about a direction that their joints leave free (mechanisms 3.3).

Then D^T A D is singular and there are no accelerations. The test knows no sizes: a body with mass resists any motion of
its centre, and one with a moment of inertia any turn about that axis.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...foundation.arrays import Array
from ...mechanism.dynamics import BodyMass
from .held_wrenches import direction
from .twists import PLANE, Twists

NO_INERTIA = 1e-12  # [1] moment of inertia, relative to the largest of the body, that is none
NO_RESISTANCE = 1e-9  # [1] singular value of the rows of resisted motions that counts as zero
AT_REST = 1e-7  # [1] part of a motion of length 1 in which a body takes no part
ADVICE = "Give it inertia there, or fix this motion by its joints."


def without_inertia(twists: Twists, motions: Array) -> list[str]:
    """Return a sentence for each body that moves without any resistance in the motions (d x f) that are permitted."""
    resisted = np.vstack([np.zeros((0, len(motions))), *_resisted(twists)])
    free = motions @ _null_space(resisted @ motions)
    if not free.shape[1]:
        return []
    sentences, width = [], 3 if twists.state.planar else 6
    blocks = {name: slice(width * k, width * k + width) for k, name in enumerate(twists.names)}
    shared = free
    for name, block in blocks.items():
        others = np.delete(free, np.arange(block.start, block.stop), axis=0)
        own = free @ _null_space(others)
        if own.shape[1]:
            sentences.append(_sentence(twists, name, own[block]))
            shared = shared - own @ (own.T @ shared)
    moving = [name for name, block in blocks.items() if np.abs(shared[block]).max(initial=0.0) > AT_REST]
    if moving:
        names = ", ".join(map(repr, moving))
        sentences.append(f"The bodies {names} have no inertia in a motion that their joints permit. {ADVICE}")
    return sentences


def _resisted(twists: Twists) -> Iterator[Array]:
    """Yield the rows of the motions that each body resists."""
    planar, width = twists.state.planar, 3 if twists.state.planar else 6
    masses: dict[str, BodyMass] = twists.state.masses
    for k, name in enumerate(twists.names):
        mass, (x, y, z) = masses[name], twists.centre(name)
        rows = []
        if float(mass.m) > 0:  # type: ignore[arg-type]
            skew = np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])  # w x s = skew w
            rows.append(np.hstack([np.eye(3), skew]))
        sizes, axes = np.linalg.eigh(np.array(mass.inertia, dtype=float))
        if planar:
            sizes, axes = np.array([0.0, 0.0, float(mass.inertia[2][2])]), np.eye(3)  # type: ignore[arg-type]
        turned = axes[:, sizes > NO_INERTIA * sizes.max(initial=0.0)].T
        rows.append(np.hstack([np.zeros_like(turned), turned]))
        block = np.vstack(rows)
        full = np.zeros((len(block), twists.columns))
        full[:, width * k : width * k + width] = block[:, PLANE] if planar else block
        yield full


def _sentence(twists: Twists, name: str, motion: Array) -> str:
    """Return the sentence on a body that moves alone."""
    planar = twists.state.planar
    s = twists.centre(name)
    full = np.zeros((6, motion.shape[1]))
    full[PLANE if planar else slice(None)] = motion
    centre = full[:3] + np.cross(full[3:].T, s).T
    if np.abs(centre).max() > AT_REST:
        return f"The body {name!r} has no mass, and its joints do not fix it. {ADVICE}"
    if planar:
        return f"The body {name!r} has no moment of inertia, and its joints do not fix its turn. {ADVICE}"
    U, sizes, _ = np.linalg.svd(full[3:])
    count = int(np.count_nonzero(sizes > AT_REST))
    if count > 1:
        where = "in any direction" if count == 3 else "about two directions"
        return f"The body {name!r} has no inertia {where}, and its joints do not fix these turns. {ADVICE}"
    axes = np.array(twists.state.axes(twists.state.frames.stated[name]).matrix, dtype=float)
    axis = axes.T @ U[:, 0]
    axis *= np.sign(axis[np.argmax(np.abs(axis))])
    return (
        f"The body {name!r} has no inertia about the direction {direction(axis)} of its axes, and its joints do not "
        f"fix its turn about it. {ADVICE}"
    )


def _null_space(rows: Array) -> Array:
    """Return an orthonormal basis of the null space of rows."""
    if not rows.size:
        return np.eye(rows.shape[1])
    _, sizes, V = np.linalg.svd(rows, full_matrices=True)
    return V[int(np.count_nonzero(sizes > NO_RESISTANCE)) :].T
