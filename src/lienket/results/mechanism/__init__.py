"""Results of mechanisms: what joints exert, how bodies move, efforts of elements, at a state or along a run.

Outline     names of joints, bodies and elements, and the dimension
wrenches    forces and torques of joints, where they are not unique the least ones
Parts       joints, bodies and elements by name
"""

from .parts import BodyValues, ElementValues, JointValues, Outline, Parts, parts_of

__all__ = ["BodyValues", "ElementValues", "JointValues", "Outline", "Parts", "parts_of"]
