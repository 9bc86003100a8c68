"""Measured quantities over time, and the forces they define.

record        a file, a mapping, a data frame or an array -> Record, or all its faults at once
Record        times, components, values; .force(at=...) is an lk.Force made of splines
path_axes     V = [t n b], the axes of the path of a point; path_tangent the direction of t alone
"""

from .path_axes import path_axes, path_tangent
from .reading import record
from .record import Record

__all__ = ["Record", "path_axes", "path_tangent", "record"]
