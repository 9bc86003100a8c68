"""Origins: positions, and rotations by roll, pitch and yaw, R = Rot(z, yaw) Rot(y, pitch) Rot(x, roll)."""

from __future__ import annotations

from math import cos, sin

from ...foundation.frozen_dataclass import dataclass
from .findings import Findings
from .numbers import Triple, known_attributes, triple
from .xml_nodes import Node

Matrix = tuple[Triple, Triple, Triple]

ROTATION_ROUNDING = 4e-16  # [1] entry of a rotation that counts as 0, or as 1: the cosine of pi/2 in doubles is 6e-17
NOTHING: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Origin:
    """Position and rotation of a frame in another one; the columns of the rotation are its axes."""

    xyz: Triple = NOTHING
    rotation: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

    @property
    def turned(self) -> bool:
        """Whether the rotation is not the unit matrix."""
        return self.rotation != UNTURNED.rotation

    def place(self, point: Triple) -> Triple:
        """Return a point of the frame in the other one."""
        x, y, z = (sum(a * b for a, b in zip(row, point, strict=True)) for row in self.rotation)
        return (self.xyz[0] + x, self.xyz[1] + y, self.xyz[2] + z)

    def inertia(self, entries: tuple[float, ...]) -> tuple[float, ...]:
        """Return R J R^T of the entries xx yy zz xy xz yz."""
        if not self.turned:
            return entries
        xx, yy, zz, xy, xz, yz = entries
        J, R = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)), self.rotation
        pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        return tuple(sum(R[i][k] * J[k][m] * R[j][m] for k in range(3) for m in range(3)) for i, j in pairs)


UNTURNED = Origin()


def rotation_of(roll: float, pitch: float, yaw: float) -> Matrix:
    """Return the rotation matrix, with entries that differ from 0 and 1 by rounding only set to these."""
    (cr, sr), (cp, sp), (cy, sy) = ((cos(a), sin(a)) for a in (roll, pitch, yaw))
    x, y, z = (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )
    return (_rounded(x), _rounded(y), _rounded(z))


def origin_of(node: Node, label: str, findings: Findings) -> Origin:
    """Return the <origin> in an element; all zero without it."""
    found = only(node, "origin", label, findings)
    if found is None:
        return UNTURNED
    known_attributes(found, ("xyz", "rpy"), label, findings)
    xyz, rpy = triple(found, "xyz", label, findings, NOTHING), triple(found, "rpy", label, findings, NOTHING)
    return Origin(xyz or NOTHING, rotation_of(*(rpy or NOTHING)))


def only(node: Node, tag: str, label: str, findings: Findings) -> Node | None:
    """Return the element with a tag in another one, None without it; report a second one."""
    listed = node.named(tag)
    if len(listed) > 1:
        findings.fault_at(
            node, label, f"it has {len(listed)} elements <{tag}>", f"One is possible; see line {listed[1].line}."
        )
    return listed[0] if listed else None


def _rounded(row: Triple) -> Triple:
    """Return a row with entries that are 0 or +-1 up to rounding set to these."""
    x, y, z = (float(round(e)) if abs(e - round(e)) <= ROTATION_ROUNDING else e for e in row)
    return (x + 0.0, y + 0.0, z + 0.0)
