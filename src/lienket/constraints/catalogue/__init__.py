"""Ready-made constraints for `System.constrain`: each function returns an expression that must be zero, or a list.

    fixed_point, pin           points that are held together
    distance, rod              two points at a prescribed distance
    slot                       a point on a straight line
    rolling, knife_edge        contact without slip, along or sideways
    gear_ratio                 two angles that turn together
    prescribed_motion          a quantity that follows a law of time
    constant_speed             a prescribed speed in a free direction

    pendulum.constrain("upper rod", lk.catalogue.rod((x1, y1), (0, 0), L1))

The result is used like any SymPy expression. Its multiplier lambda acts in the direction in which the expression grows
(docs/notation.md); each docstring names this force. Constraints at points know its magnitude, also after products with
factors, and tell it to a law of friction: `2*lk.catalogue.rod(...)` is the same rod with the same friction. Points,
directions and velocities are tuples, lists or SymPy matrices of their components in fixed axes, two in the plane and
three in space. All faults of the arguments are reported together in one ModelError that names the function and the
argument.
"""

from .motions import constant_speed, gear_ratio, prescribed_motion
from .points import distance, fixed_point, pin, rod, slot
from .rolling import knife_edge, rolling

__all__ = [
    "constant_speed",
    "distance",
    "fixed_point",
    "gear_ratio",
    "knife_edge",
    "pin",
    "prescribed_motion",
    "rod",
    "rolling",
    "slot",
]
