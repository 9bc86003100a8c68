"""Contact without slip in the plane: along a line (rolling) or sideways (knife edge)."""

from __future__ import annotations

import sympy as sp

from .arguments import Arguments, Expression, Vector
from .vectors import dot, rate, unit


def rolling(
    centre: Vector,
    angle: Expression,
    radius: Expression,
    along: Vector = (1, 0),
    *,
    surface_velocity: Vector | None = None,
    start: Expression | None = None,
) -> Expression:
    """A disc rolls without slip on a straight line in the plane.

        e . centre' + radius angle' = 0                            as it is
        e . (centre' - surface_velocity) + radius angle' = 0       on a moving line
        e . centre  + radius angle - start = 0                     integrated, if `start` is given

    e is the unit vector of `along`. The `angle` grows counterclockwise, and the disc lies to the left of `along`:
    above the line for (1, 0), below it for (-1, 0). So a disc above rolls towards -x when its angle grows,
    x' + r phi' = 0. lambda is the force of the line on the disc along e; it turns the disc with radius lambda.

    `surface_velocity` is the velocity (two components) of the line's material at the contact, (der(X), 0) on a
    wedge at X. `along` may turn, with the `angle` still counted from fixed axes; so the wheels of a vehicle seen
    from above have the same equation, with their heading for `along` and their spin, positive
    backwards, for `angle`.

    `start` is the value of e . centre + radius angle, a constant or, for a belt, its displacement as a law of time.
    It makes the constraint holonomic, which asks for a direction that stays.

    That the disc stays on the line is another constraint, on its centre: the disc of paper 000 is
    slot((x, y), (0, r), (1, 0)), which is y - r, with rolling((x, y), phi, r, start=0), which is x + r phi.
    """
    read = Arguments("rolling")
    c, e = read.point("centre", centre, (2,)), read.direction("along", along, (2,))
    phi, r = read.position("angle", angle), read.constant("radius", radius)
    read.check_positive("radius", r)
    u = (sp.S.Zero, sp.S.Zero)
    if surface_velocity is not None:
        u = read.velocities("surface_velocity", surface_velocity, (2,))
    offset = None if start is None else read.law("start", start)
    if start is not None:
        if surface_velocity is not None:
            problem = "it is given together with surface_velocity, which cannot be integrated here"
            read.fault("start", problem, "Give one of them; start may be a displacement that depends on time.")
        for i, component in enumerate(e):
            read.constant(f"along[{i}]", component)
    read.raise_any()
    if offset is not None:
        return dot(unit(e), c) + r * phi - offset
    slip = [v - w for v, w in zip(rate(c), u, strict=True)]
    return dot(unit(e), slip) + r * rate([phi])[0]


def knife_edge(point: Vector, heading: Expression) -> Expression:
    """The `point` of a blade, skate or thin wheel has no velocity sideways to its `heading`:

        sin(heading) x' - cos(heading) y' = 0.

    The heading is counted counterclockwise from the x axis. lambda is the force on the point to the right of it.
    """
    read = Arguments("knife_edge")
    blade, angle = read.point("point", point, (2,)), read.position("heading", heading)
    read.raise_any()
    return dot((sp.sin(angle), -sp.cos(angle)), rate(blade))
