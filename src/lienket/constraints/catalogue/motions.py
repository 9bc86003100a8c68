"""Constraints on motions: coupled rotations, laws of time, prescribed speed."""

from __future__ import annotations

import sympy as sp

from ...foundation.nearest_name import with_suggestions
from ...language.expression import Expression, ExpressionLike
from .arguments import Arguments, Vector
from .vectors import dot


@with_suggestions
def gear_ratio(
    first: ExpressionLike, second: ExpressionLike, ratio: ExpressionLike, offset: ExpressionLike = 0
) -> Expression:
    """Return a constraint between two wheels that turn together: first + ratio second - offset = 0.

    lambda is the torque on the first wheel, ratio lambda that on the second.

    Parameters
    ----------
    first, second : expression
        Angles of the wheels, both positive in the same sense, or both angular velocities.
    ratio : expression
        (Teeth of the second)/(teeth of the first), or the ratio of the radii; positive for external gears, which turn
        in opposite senses, negative for an internal gear, a belt or a chain. It may vary between velocities only.
    offset : expression
        Constant or function of time.

    Returns
    -------
    Expr
        Expression that must be zero.

    Raises
    ------
    ModelError
        With all faults of the arguments.

    Examples
    --------
    >>> phi, psi = lk.coordinates("phi psi")
    >>> lk.catalogue.gear_ratio(phi, psi, 3)
    phi(t) + 3*psi(t)
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


@with_suggestions
def prescribed_motion(expression: ExpressionLike, law: ExpressionLike) -> Expression:
    """Return a constraint that prescribes an expression as a function of time: expression - law(t) = 0.

    lambda is the force (for an angle the torque) that the motion requires, in the direction in which the expression
    grows. For a motion realised by named drives wrap the result:
    lk.Program(prescribed_motion(phi, w*lk.t), drives=...).

    Parameters
    ----------
    expression : expression
        Position, velocity or acceleration.
    law : expression
        Function of time and parameters.

    Returns
    -------
    Expr
        Expression that must be zero.

    Raises
    ------
    ModelError
        With all faults of the arguments.

    Examples
    --------
    >>> phi, w = lk.coordinates("phi"), lk.parameters("w")
    >>> lk.catalogue.prescribed_motion(phi, w*lk.t)
    -t*w + phi(t)
    """
    read = Arguments("prescribed_motion")
    moved = read.expression("expression", expression)
    motion = read.law(
        "law", law, "A law depends only on time and parameters; put terms that depend on the motion into expression."
    )
    read.raise_any()
    return moved - motion


@with_suggestions
def constant_speed(velocity: Vector, speed: ExpressionLike) -> Expression:
    """Return a constraint that prescribes the magnitude of a velocity: |velocity|^2 - speed^2 = 0.

    This is a nonlinear nonholonomic constraint; Chetaev's rule gives its reaction. 2 speed lambda is the force along
    the velocity, positive when it accelerates.

    Parameters
    ----------
    velocity : vector
        Components of the velocity.
    speed : expression
        Magnitude, positive; it may be a function of time.

    Returns
    -------
    Expr
        Expression that must be zero.

    Raises
    ------
    ModelError
        With all faults of the arguments.

    Examples
    --------
    >>> x, y = lk.coordinates("x y")
    >>> lk.catalogue.constant_speed((der(x), der(y)), 2)
    Derivative(x(t), t)**2 + Derivative(y(t), t)**2 - 4
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
