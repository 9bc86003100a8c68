"""Reaction of a joint as a formula: what releasing it would call for (paper 001, example 2; mechanisms 4.3).

Behind the joint's motion J(q) stand small displacements and turns u. What keeps u = 0 is

    r_u = A_u q'' - h_u - G_u^T lambda        at u = u' = u'' = 0

the force and torque at the second place. Their work on u is that of the inertial forces of all that hangs on the joint,
less everything that acts there from outside, so that r_u is formed by one sweep, without coordinates u. The parts along
the joint's own motions are the efforts of motors and springs there: they are taken away. A joint that is cut exerts the
wrenches of its rows.
"""

from __future__ import annotations

import sympy as sp

from ..errors import LienketError, UnknownName
from ..foundation.frozen_dataclass import dataclass
from ..language.engine.engine import Engine
from ..language.expression import EngineExpression, Expression
from ..language.simplify.tidy import tidy_small
from ..mechanism.dynamics import NO_WRENCH, Wrench, hanging_wrenches
from ..mechanism.elements import loads_of
from ..mechanism.frames import LinkPlace
from ..mechanism.joints import kind_of
from ..mechanism.loads import collected, onto_bodies, times, weights_of
from ..mechanism.loops import cut_joint, held_of
from ..mechanism.scalars.algebra import Scalar, Vector, add, dot, negative, scaled, subtract
from ..mechanism.scalars.engine_algebra import EngineAlgebra
from ..mechanism.state import MechanismState
from ..model.bodies import Joint
from ..model.reaction_symbols import multiplier
from ..model.statement import Statement


@dataclass(frozen=True)
class JointReaction:
    """Reaction of a joint on its second body at the second place, in the axes of that place.

    Formulas of q, q', q'' and the multipliers of cut joints, `lk.multiplier(name, row)`. In the plane the force has two
    components and the torque one.

    Attributes
    ----------
    force, torque : tuple of expressions
        Components along the axes of the second place.
    """

    force: tuple[Expression, ...]
    torque: tuple[Expression, ...]


def joint_reaction(statement: Statement, name: str) -> JointReaction:
    """Return the reaction of a joint of a mechanism as a formula."""
    description = statement.free.mechanism
    if description is None:
        raise LienketError("This system is stated by formulas and has no joints; `reactions` has those of constraints.")
    if name not in description.joint:
        raise UnknownName("joint", name, list(description.joint))
    engine = Engine(statement.coordinates)
    state = MechanismState(description, EngineAlgebra(engine))
    joint = state.description.joint[name]
    if name in description.cut or description.absolute:
        if name not in _held_names(statement):
            raise LienketError(f"The joint {name!r} has been released: it exerts nothing.")
        wrench = _of_cut_joint(state, joint, engine)
    else:
        wrench = _of_tree_joint(state, joint, engine, _held_names(statement))
    back = state.axes(joint.second).inverse(state.algebra)
    return _reaction(engine, back @ wrench.force, back @ wrench.moment, description.planar)


def _held_names(statement: Statement) -> set[str]:
    """Return the names of the constraints that the mechanism has made."""
    return {c.name for c in statement.constraints if c.of_mechanism}


def _multiplier(engine: Engine, name: str, row: int) -> EngineExpression:
    return engine.inward(multiplier(name, row))


def _of_cut_joint(state: MechanismState, joint: Joint, engine: Engine) -> Wrench:
    """Return the sum of the wrenches of the rows, times their multipliers, about the second place."""
    total = NO_WRENCH
    for k, row in enumerate(cut_joint(state, joint).rows):
        wrenches, factor = dict(row.load.wrenches), _multiplier(engine, joint.name, k)
        if joint.second.body in wrenches:
            wrench = wrenches[joint.second.body].moved(negative(state.lever(joint.second)))
        else:
            step = subtract(state.place(joint.second), state.position.frames[joint.first.body].origin)
            wrench = (-wrenches[joint.first.body]).moved(negative(step))
        total = total + Wrench(scaled(factor, wrench.force), scaled(factor, wrench.moment))
    return total


def _of_tree_joint(state: MechanismState, joint: Joint, engine: Engine, held_names: set[str]) -> Wrench:
    """Return what the joint exerts, without the parts along its own motions."""
    loads = list(loads_of(state).values())
    for held in held_of(state):
        if held.name in held_names:
            for k, row in enumerate(held.rows):
                loads.append(times(row.load, _multiplier(engine, held.name, k)))
    outside, along = collected(state, loads, weights_of(state))
    onto_bodies(state, outside, along)
    accelerations = state.accelerations(engine.a)
    sums = {
        name: mass.inertial(state.rates[name], accelerations[name]) + -outside.get(name, NO_WRENCH)
        for name, mass in state.masses.items()
    }
    for link, place, total in zip(
        state.tree.links, state.position.links, hanging_wrenches(state.tree, state.position, sums), strict=True
    ):
        if link.joint.name == joint.name:
            return _without_efforts(state, joint, place, total if link.forward else -total)
    raise AssertionError(joint.name)


def _without_efforts(state: MechanismState, joint: Joint, place: LinkPlace, wrench: Wrench) -> Wrench:
    """Return the wrench without its parts along the motions of the joint: w - sum (w . S_k) E_k, E_k the efforts."""
    kind, force, torque = kind_of(joint), wrench.force, wrench.moment
    if kind.euler and not state.planar:
        return Wrench((0, 0, 0) if kind.name == "free" else force, (0, 0, 0))
    efforts = kind.efforts(joint, state.relative(joint), state.algebra, state.planar)
    works: dict[int, Scalar] = {}
    for e, k in place.motions.shifts:
        works[k] = works.get(k, 0) + dot(e, force)
    for e, k in place.motions.turns:
        works[k] = works.get(k, 0) + dot(e, torque)
    for (_, work), (along, about) in zip(sorted(works.items()), efforts, strict=True):
        force, torque = subtract(force, scaled(work, along)), subtract(torque, scaled(work, about))
    return Wrench(add(force), add(torque))


def _reaction(engine: Engine, force: Vector, torque: Vector, planar: bool) -> JointReaction:
    """Return the formulas of a wrench."""
    zero = engine.inward(sp.S.Zero)
    outward = [engine.outward(x) for x in tidy_small([zero + x for x in (*force, *torque)])]
    if planar:
        return JointReaction(tuple(outward[:2]), (outward[5],))
    return JointReaction(tuple(outward[:3]), tuple(outward[3:]))
