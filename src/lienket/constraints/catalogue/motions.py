"""Constraints on motions: coupled rotations, laws of time, prescribed speed."""

from __future__ import annotations

import sympy as sp

from .arguments import Arguments, Expression, Vector
from .vectors import dot


def gear_ratio(first: Expression, second: Expression, ratio: Expression, offset: Expression = 0) -> Expression:
    """Two wheels turn together:

        first + ratio second - offset = 0.

    `ratio` is (teeth of the second)/(teeth of the first), or the radii likewise; positive for external gears,
    which turn against each other, negative for an internal gear, a belt or a chain. `first` and `second` are the
    angles, both counted the same way round, or both angular velocities; only between velocities may `ratio`
    change. `offset` is a constant or a law of time.

    lambda is the torque on the first wheel, ratio lambda that on the second.
    """
    read = Arguments("gear_ratio")
    one, other = read.velocity("first", first), read.velocity("second", second)
    shift = read.law("offset", offset)
    rates = [e is not None and bool(e.atoms(sp.Derivative)) for e in (one, other)]
    if one is not None and other is not None and rates[0] != rates[1]:
        kinds = ["an angular velocity" if rate else "an angle" for rate in rates]
        advice = "Give two angles, or two velocities: der(phi1), der(phi2)."
        read.fault("second", f"it is {kinds[1]}, but first is {kinds[0]}", advice)
    factor = read.position("ratio", ratio) if any(rates) else read.constant("ratio", ratio)
    if factor is not None and factor == 0:
        read.fault("ratio", "with the ratio 0 the second wheel is free")
    read.raise_any()
    return one + factor * other - shift


def prescribed_motion(expression: Expression, law: Expression) -> Expression:
    """`expression` follows the `law`, a function of time and parameters:

        expression - law(t) = 0.

    The expression may be a position or a velocity. lambda is the force (for an angle the torque) that the motion
    takes, in the direction in which the expression grows. For a motion that named drives achieve, wrap the result:
    lk.Program(prescribed_motion(phi, w*lk.t), drives=...).
    """
    read = Arguments("prescribed_motion")
    moved = read.expression("expression", expression)
    motion = read.law(
        "law", law, "A law depends only on time and parameters; put terms that depend on the motion into expression."
    )
    read.raise_any()
    return moved - motion


def constant_speed(velocity: Vector, speed: Expression) -> Expression:
    """The `velocity`, a sequence of its components, keeps the size `speed` in whatever direction:

        |velocity|^2 - speed^2 = 0,

    a nonlinear nonholonomic constraint (Chetaev's rule gives its reaction). 2 speed lambda is the force along the
    velocity, positive when it drives. `speed` may be a law of time.
    """
    read = Arguments("constant_speed")
    v = read.velocities("velocity", velocity)
    size = read.law("speed", speed)
    if v and not any(component.atoms(sp.Derivative) for component in v):
        read.fault("velocity", "it contains no derivative", "Give velocities, as in (der(x), der(y)).")
    # At rest the gradient 2 velocity vanishes and the row would constrain nothing.
    read.check_positive("speed", size, "To hold a point at rest, use fixed_point.")
    read.raise_any()
    return dot(v, v) - size**2
