"""Exudyn: rigid bodies in the plane in absolute coordinates, revolute joints, implicit steps of fixed size.

The implicit trapezoidal rule on the index-2 form where there are no singular positions, since it is more accurate; the
generalized-alpha method (spectral radius 0.8, index 3) where there are, since the other fails. Modified Newton, a dense
solver for small systems, a sparse one for large ones; one thread, no output files. Both are of second order, so that
high accuracies are out of reach.
"""

from __future__ import annotations

from typing import Any

import exudyn as exu
import numpy as np
from exudyn import itemInterface as items

from .planar import Point, Tree, tree_of
from .problems import FourBars, Problem
from .run import Cannot, Deadline, Runner, steps

COUNTS = tuple(2**k * 500 for k in range(9))
SPARSE_FROM = 40


def runners(problem: Problem) -> list[Runner]:
    """Run the implicit solver with several step sizes."""
    tree = tree_of(problem, "its rolling discs are spatial joints, another model; not built here")
    container = exu.SystemContainer()
    system = container.AddSystem()
    nodes = add_bodies(system, tree, *(tree.absolute(tree.joints @ x) for x in problem.start))
    system.Assemble()
    singular = isinstance(problem.case, FourBars)

    def run(step: float, deadline: Deadline) -> np.ndarray:
        chosen = settings(problem.until, step, len(nodes), singular)
        try:
            system.SolveDynamic(chosen, showHints=False, showCausingItems=False)
        except exu.SolverError as reason:
            raise Cannot("Newton's iteration failed") from reason
        angles = [system.GetNodeOutput(node, exu.OutputVariableType.Coordinates)[2] for node in nodes]
        return tree.coordinates(tree.relative(np.array(angles)) + tree.joints @ problem.start[0])

    return [Runner("Exudyn", run, steps(problem.until, COUNTS))]


def settings(until: float, step: float, bodies: int, singular: bool) -> Any:
    """One run without files and prints."""
    chosen = exu.SimulationSettings()
    integration = chosen.timeIntegration
    integration.numberOfSteps, integration.endTime = round(until / step), until
    integration.verboseMode, integration.simulateInRealtime = 0, False
    integration.generalizedAlpha.useIndex2Constraints = not singular
    integration.generalizedAlpha.useNewmark = not singular
    integration.generalizedAlpha.spectralRadius = 0.8 if singular else 1.0
    integration.newton.useModifiedNewton = True
    integration.newton.relativeTolerance, integration.newton.absoluteTolerance = 1e-10, 1e-12
    chosen.solutionSettings.writeSolutionToFile = False
    chosen.solutionSettings.sensorsWritePeriod = until
    chosen.displayStatistics = chosen.displayComputationTime = False
    chosen.parallel.numberOfThreads = 1
    if bodies >= SPARSE_FROM:
        chosen.linearSolverType = exu.LinearSolverType.EigenSparse
    return chosen


def add_bodies(system: Any, tree: Tree, angles: np.ndarray, rates: np.ndarray) -> list[Any]:
    """Bodies, pins, spring, motor and weight; the nodes, whose third coordinate is the turn since the start."""
    pins, pin_speeds, nodes, bodies = [], [], [], []
    ground = system.AddObject(items.ObjectGround())
    for i, link in enumerate(tree.links):
        pin, speed = np.array(link.pin), np.zeros(2)
        if link.parent >= 0:
            k = link.parent
            pin, speed = moved(pins[k], pin_speeds[k], link.pin, angles[k], rates[k])
        centre, centre_speed = moved(pin, speed, link.centre, angles[i], rates[i])
        node = system.AddNode(
            items.NodeRigidBody2D(
                referenceCoordinates=[*centre, angles[i]], initialVelocities=[*centre_speed, rates[i]]
            )
        )
        body = items.ObjectRigidBody2D(physicsMass=link.mass, physicsInertia=link.inertia, nodeNumber=node)
        bodies.append(system.AddObject(body))
        pins.append(pin)
        pin_speeds.append(speed)
        nodes.append(node)

    def marker(link: int, point: Point, rigid: bool = False) -> Any:
        off = tree.links[link].centre if link >= 0 else (0.0, 0.0)
        kind = items.MarkerBodyRigid if rigid else items.MarkerBodyPosition
        place = [point[0] - off[0], point[1] - off[1], 0.0]
        return system.AddMarker(kind(bodyNumber=bodies[link] if link >= 0 else ground, localPosition=place))

    for i, link in enumerate(tree.links):
        ends = [marker(link.parent, link.pin), marker(i, (0.0, 0.0))]
        system.AddObject(items.ObjectJointRevolute2D(markerNumbers=ends))
        weight = [0.0, -link.mass * tree.gravity, 0.0]
        if tree.gravity:
            system.AddLoad(items.LoadForceVector(markerNumber=marker(i, link.centre), loadVector=weight))
    for c in tree.closures:
        ends = [marker(c.first, c.at), marker(c.second, c.there)]
        system.AddObject(items.ObjectJointRevolute2D(markerNumbers=ends))
    for s in tree.springs:
        ends = [marker(s.link, s.at), marker(-1, s.ground)]
        spring = items.ObjectConnectorSpringDamper(markerNumbers=ends, stiffness=s.stiffness, referenceLength=s.length)
        system.AddObject(spring)
    for link, torque in tree.torques.items():
        at = marker(link, tree.links[link].centre, rigid=True)
        system.AddLoad(items.LoadTorqueVector(markerNumber=at, loadVector=[0.0, 0.0, torque]))
    return nodes


def moved(pin: np.ndarray, speed: np.ndarray, point: Point, angle: float, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """Position and velocity of a point of a link whose pin is known."""
    c, s = np.cos(angle), np.sin(angle)
    arm = np.array([c * point[0] - s * point[1], s * point[0] + c * point[1]])
    return pin + arm, speed + rate * np.array([-arm[1], arm[0]])
