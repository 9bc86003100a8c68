"""Import of URDF files: links and joints of robots as bodies and joints of a spatial mechanism (docs/urdf.md).

    findings    faults and notes of a file
    xml_nodes   XML with limits on size, depth and number of elements, without document types and entities
    numbers     attributes as numbers
    links       masses and inertias; geometry: what is drawn
    joints      joints with limits, damping and mimic
    structure   one tree from one root
    names       coordinates whose names are identifiers
    building    calls of the builder
    reading     a file as UrdfFacts, or one ModelFileError with all faults

No file but the one that is read is ever opened, and no text is evaluated.
"""

from .facts import JointLimit, UrdfFacts
from .reading import read, read_statement

__all__ = ["JointLimit", "UrdfFacts", "read", "read_statement"]
