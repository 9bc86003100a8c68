"""Four-bar linkage with a torque on its crank: its numbers, its start by closed geometry, and Exudyn's run of it."""

import numpy as np

import lienket as lk

PIVOTS = {"crank": np.zeros(2), "rocker": np.array([1.0, 0.1])}
LENGTHS = {"crank": 0.4, "coupler": 1.0, "rocker": 0.8}
MASSES = {"crank": 0.4, "coupler": 1.1, "rocker": 0.7}
MOMENTS = {"crank": 0.006, "coupler": 0.12, "rocker": 0.05}
CENTRES = {"crank": (0.15, 0.02), "coupler": (0.45, 0.07), "rocker": (0.4, -0.03)}
TORQUE, GRAVITY = 0.9, 9.81
CRANK, RATE = 1.5, 5.0


def linkage(coordinates):
    """Return the system of the linkage."""
    bar = lk.planar.Mechanism("four-bar", gravity=(0, -GRAVITY))
    a, b, c = (
        bar.body(name, mass=MASSES[name], inertia=MOMENTS[name], centre=CENTRES[name])
        for name in ("crank", "coupler", "rocker")
    )
    bar.revolute("O", bar.ground.at(*PIVOTS["crank"]), a.at(0, 0))
    bar.revolute("A", a.at(LENGTHS["crank"], 0), b.at(0, 0))
    bar.revolute("B", b.at(LENGTHS["coupler"], 0), c.at(LENGTHS["rocker"], 0))
    bar.revolute("C", bar.ground.at(*PIVOTS["rocker"]), c.at(0, 0))
    bar.motor("M", "O", TORQUE)
    return bar.system(coordinates)


def direction(angle):
    """Return the unit vector at an angle."""
    return np.array([np.cos(angle), np.sin(angle)])


def start():
    """Return the angles of the bodies and their rates by name, the joint of coupler and rocker above."""
    a, b, c = LENGTHS.values()
    tip = a * direction(CRANK)
    between = PIVOTS["rocker"] - tip
    r = np.linalg.norm(between)
    coupler = np.arctan2(between[1], between[0]) + np.arccos((r**2 + b**2 - c**2) / (2 * r * b))
    joint = tip + b * direction(coupler) - PIVOTS["rocker"]
    rocker = np.arctan2(joint[1], joint[0])
    across = [length * direction(angle + np.pi / 2) for length, angle in ((b, coupler), (c, rocker))]
    rates = np.linalg.solve(np.column_stack([-across[0], across[1]]), a * RATE * direction(CRANK + np.pi / 2))
    angles = {"crank": CRANK, "coupler": coupler, "rocker": rocker}
    return angles, {"crank": RATE, "coupler": rates[0], "rocker": rates[1]}


def turned(angle, point):
    """Return a point or vector of a body in the axes of the ground."""
    return point[0] * direction(angle) + point[1] * direction(angle + np.pi / 2)


def centres(angles, rates):
    """Return place and velocity of the centre of each body."""
    tip, tip_rate = (LENGTHS["crank"] * direction(CRANK + k * np.pi / 2) * RATE**k for k in (0, 1))
    origins = {"crank": (PIVOTS["crank"], 0), "coupler": (tip, tip_rate), "rocker": (PIVOTS["rocker"], 0)}
    found = {}
    for name, (origin, velocity) in origins.items():
        arm = turned(angles[name], CENTRES[name])
        found[name] = origin + arm, velocity + rates[name] * np.array([-arm[1], arm[0]])
    return found


def by_exudyn(until, steps):
    """Return (x, y, angle) of the centre of each body at the end, by the implicit trapezoidal rule."""
    import exudyn as exu
    from exudyn import itemInterface as items

    container = exu.SystemContainer()
    system = container.AddSystem()
    ground = system.AddObject(items.ObjectGround())
    angles, rates = start()
    nodes, bodies = {}, {None: ground}
    for name, (centre, velocity) in centres(angles, rates).items():
        nodes[name] = system.AddNode(
            items.NodeRigidBody2D(
                referenceCoordinates=[*centre, angles[name]], initialVelocities=[*velocity, rates[name]]
            )
        )
        body = items.ObjectRigidBody2D(physicsMass=MASSES[name], physicsInertia=MOMENTS[name], nodeNumber=nodes[name])
        bodies[name] = system.AddObject(body)
        middle = system.AddMarker(items.MarkerBodyRigid(bodyNumber=bodies[name], localPosition=[0, 0, 0]))
        weight = [0, -GRAVITY * MASSES[name], 0]
        system.AddLoad(items.LoadForceVector(markerNumber=middle, loadVector=weight))
        if name == "crank":
            system.AddLoad(items.LoadTorqueVector(markerNumber=middle, loadVector=[0, 0, TORQUE]))

    def marker(body, x, y):
        off = CENTRES[body] if body else (0, 0)
        place = [x - off[0], y - off[1], 0]
        return system.AddMarker(items.MarkerBodyPosition(bodyNumber=bodies[body], localPosition=place))

    for first, second in (
        ((None, *PIVOTS["crank"]), ("crank", 0, 0)),
        (("crank", LENGTHS["crank"], 0), ("coupler", 0, 0)),
        (("coupler", LENGTHS["coupler"], 0), ("rocker", LENGTHS["rocker"], 0)),
        ((None, *PIVOTS["rocker"]), ("rocker", 0, 0)),
    ):
        system.AddObject(items.ObjectJointRevolute2D(markerNumbers=[marker(*first), marker(*second)]))
    system.Assemble()
    system.SolveDynamic(_settings(exu, until, steps), showHints=False, showCausingItems=False)
    kind, reference = exu.OutputVariableType.Coordinates, exu.ConfigurationType.Reference
    return {
        name: np.array(system.GetNodeOutput(node, kind)) + np.array(system.GetNodeOutput(node, kind, reference))
        for name, node in nodes.items()
    }


def _settings(exu, until, steps):
    """Return the settings of one run without files and prints."""
    settings = exu.SimulationSettings()
    integration = settings.timeIntegration
    integration.numberOfSteps, integration.endTime, integration.verboseMode = steps, until, 0
    integration.generalizedAlpha.useIndex2Constraints = integration.generalizedAlpha.useNewmark = True
    integration.generalizedAlpha.spectralRadius = 1.0
    integration.newton.relativeTolerance, integration.newton.absoluteTolerance = 1e-10, 1e-12
    settings.solutionSettings.writeSolutionToFile = False
    settings.displayStatistics = settings.displayComputationTime = False
    settings.parallel.numberOfThreads = 1
    return settings
