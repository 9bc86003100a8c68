"""Joints, bodies and elements of a mechanism by name, with numbers at one state or at all rows of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array, BoolArray, IntArray
from ...foundation.frozen_dataclass import dataclass
from ...kernels.evaluation import Evaluation
from ...language.by_name import ByName
from .wrenches import wrenches

TURN = 2 * np.pi  # [rad] a whole turn


@dataclass(frozen=True)
class Outline:
    """Names of a mechanism: joints with their coordinates, bodies, elements.

    `scalars` are the coordinates e0 of the system, whose zero position is 1. `closed` are the joints that are cut and
    whose rows, in relative coordinates in space, have solutions with opposite axes. `wrapped` are the indices of
    coordinates, among those of all joints, that are angles of cut joints without turns. Joints whose constraints have
    been `released` are not shown.
    """

    planar: bool
    joints: tuple[tuple[str, tuple[str, ...]], ...]
    bodies: tuple[str, ...]
    elements: tuple[str, ...]
    absolute: bool = False
    scalars: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    wrapped: tuple[int, ...] = ()
    released: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class JointValues:
    """What a joint exerts on its second body, at the second place, in the axes of the ground; its coordinates.

    Motors, springs, given motions and gears are not part of the reaction. Along a run every array has a first axis of
    times; in the plane forces have two components and the torque is one number.

    Attributes
    ----------
    force, torque : ndarray
        Reaction on the second body.
    unique : bool or ndarray
        Whether redundant rows leave it determined; where not, the least possible share is shown.
    q, v, accelerations : ndarray
        Coordinates of the joint, their rates and second rates.
    """

    force: Array
    torque: Array
    unique: BoolArray
    q: Array
    v: Array
    accelerations: Array
    _axes: Mapping[str, Array]

    def __repr__(self) -> str:
        return _shown("joint", force=self.force, torque=self.torque, unique=self.unique, q=self.q, v=self.v)

    def in_axes(self, which: str) -> JointValues:
        """Return the force and torque in the axes of the "first" or the "second" place, or the "ground".

        Parameters
        ----------
        which : str
            "first", "second" or "ground".

        Returns
        -------
        JointValues
            The joint with its force and torque in these axes; other values do not change.

        Raises
        ------
        LienketError
            If there are no such axes.
        """
        if which == "ground":
            return self
        if which not in self._axes:
            raise LienketError(f'The axes are "first", "second" or "ground", not {which!r}.')
        turned = np.swapaxes(self._axes[which], -1, -2)  # from the ground to the place
        planar = self.force.shape[-1] == 2
        force = (turned[..., :2, :2] if planar else turned) @ self.force[..., None]
        torque = self.torque if planar else (turned @ self.torque[..., None])[..., 0]
        return JointValues(force[..., 0], torque, self.unique, self.q, self.v, self.accelerations, self._axes)


@dataclass(frozen=True, repr=False)
class BodyValues:
    """Motion of a body: place and velocity of its origin, rotation matrix (an angle in the plane), angular velocity."""

    position: Array
    rotation: Array
    velocity: Array
    angular_velocity: Array

    def __repr__(self) -> str:
        return _shown("body", position=self.position, rotation=self.rotation, velocity=self.velocity)


@dataclass(frozen=True, repr=False)
class ElementValues:
    """Effort of an element: along the coordinate for motors and given motions, tension of springs, rods and ropes.

    `unique` tells whether redundant rows leave it determined.
    """

    effort: Array
    unique: BoolArray

    def __repr__(self) -> str:
        return _shown("element", effort=self.effort, unique=self.unique)


@dataclass(frozen=True)
class Parts:
    """Joints, bodies and elements by name."""

    joints: Mapping[str, JointValues]
    bodies: Mapping[str, BodyValues]
    elements: Mapping[str, ElementValues]


def _shown(what: str, **values: Array | BoolArray) -> str:
    """Return the numbers of a state on a line, or the shapes of the arrays of a run."""
    first = next(iter(values.values()))
    rows = np.ndim(first) > (0 if what == "element" else 1)
    with np.printoptions(precision=6, suppress=True):
        shown = (f"{name} {np.shape(x)}" if rows else f"{name} {np.asarray(x)}" for name, x in values.items())
        return f"<{what}: {', '.join(' '.join(text.split()) for text in shown)}>"


def parts_of(outline: Outline, times: Array, groups: Sequence[tuple[IntArray, Evaluation]], single: bool) -> Parts:
    """Return the parts from evaluations of some rows each; with `single` the arrays are those of one state."""
    rows = len(times)
    blocks: dict[str, Array] = {}
    for index, evaluation in groups:
        for name, values in {**evaluation.mechanism, **wrenches(evaluation)}.items():
            if name not in blocks:
                blocks[name] = np.full((rows, *values.shape[1:]), np.nan)
            blocks[name][index] = values
    if rows and not single:
        blocks["measures"] = counted_turns(blocks["measures"], times, outline.wrapped)
    if single:
        blocks = {name: values[0] for name, values in blocks.items()}
    for values in blocks.values():
        values.setflags(write=False)
    joints, first = {}, 0
    for k, (name, coordinates) in enumerate(outline.joints):
        if name not in outline.released:
            joints[name] = _joint(blocks, k, slice(first, first + len(coordinates)), outline.planar)
        first += len(coordinates)
    bodies = {name: _body(blocks, k, outline.planar) for k, name in enumerate(outline.bodies)}
    elements = {
        name: ElementValues(blocks["efforts"][..., k, 0], blocks["unique_efforts"][..., k] > 0)
        for k, name in enumerate(outline.elements)
    }
    return Parts(ByName(joints, "joint"), ByName(bodies, "body"), ByName(elements, "element"))


def counted_turns(measures: Array, times: Array, wrapped: Sequence[int]) -> Array:
    """Return coordinates of joints (N x K x 3) with whole turns added to angles that an arc tangent has wrapped.

    Each is the one nearest to what the rates at both rows predict.
    """
    counted = measures.copy()
    for k in wrapped:
        q, v = measures[:, k, 0], measures[:, k, 1]
        moved = np.concatenate([[0.0], (v[1:] + v[:-1]) / 2 * np.diff(times)])
        jumps = np.diff(q, prepend=q[:1]) - moved
        jumps[0] = 0.0
        counted[:, k, 0] = q - TURN * np.cumsum(np.round(np.nan_to_num(jumps) / TURN))
    return counted


def _joint(blocks: Mapping[str, Array], k: int, coordinates: slice, planar: bool) -> JointValues:
    """Return the values of joint k."""
    force, torque = blocks["force"][..., k, :], blocks["torque"][..., k, :]
    if planar:
        force, torque = force[..., :2], torque[..., 2]
    axes = {name: _matrix(blocks[name][..., k, :]) for name in ("first", "second")}
    q, v, a = (blocks["measures"][..., coordinates, level] for level in range(3))
    return JointValues(force, torque, blocks["unique"][..., k] > 0, q, v, a, axes)


def _body(blocks: Mapping[str, Array], k: int, planar: bool) -> BodyValues:
    """Return the values of body k."""
    position, velocity = blocks["position"][..., k, :], blocks["velocity"][..., k, :]
    rotation, turning = _matrix(blocks["rotation"][..., k, :]), blocks["angular_velocity"][..., k, :]
    if not planar:
        return BodyValues(position, rotation, velocity, turning)
    angle = blocks["angle"][..., k, 0]
    return BodyValues(position[..., :2], angle, velocity[..., :2], turning[..., 2])


def _matrix(entries: Array) -> Array:
    """Return 3 x 3 matrices of their entries."""
    return entries.reshape(*entries.shape[:-1], 3, 3)
