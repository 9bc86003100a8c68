"""Bodies, joints and elements as the user states them, checked and frozen: one field of the Statement.

Description   all of a mechanism: gravity, bodies, joints, elements, the kind of coordinates, the joints that are cut
Body          mass, inertia about the centre, shapes
Place         a point with axes on a body
Joint         two places and the motion that a kind of joint permits
Element       spring, motor, gear, ...: what acts on places or joints
"""

from .description import GROUND, Body, Description, Element, Joint, Place, Shape

__all__ = ["GROUND", "Body", "Description", "Element", "Joint", "Place", "Shape"]
