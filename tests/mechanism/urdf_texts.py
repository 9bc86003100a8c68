"""URDF texts of several robots, and their accelerations computed from the same texts without the package.

`Reference` reads a text with the standard library's ElementTree. With the geometric Jacobians J_v, J_w of every link,
M = sum m J_v^T J_v + J_w^T R J R^T J_w; the forces of inertia follow from derivatives of M by complex steps.
"""

import xml.etree.ElementTree as ET

import numpy as np

GRAVITY = np.array([0, 0, -9.81])
STEP = 1e-30  # complex step: no difference of close numbers, so no digits are lost

DOUBLE_PENDULUM = """<?xml version="1.0"?>
<robot name="double pendulum">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0.5 0 0"/><mass value="2"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.17" iyz="0" izz="0.17"/>
    </inertial>
  </link>
  <link name="lower">
    <inertial>
      <origin xyz="0.25 0 0"/><mass value="1.5"/>
      <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.021" iyz="0" izz="0.021"/>
    </inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 2"/><axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" effort="30" velocity="4"/><dynamics damping="0.3" friction="0"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/><axis xyz="0 2 0"/>
    <limit effort="10" velocity="5"/>
  </joint>
</robot>
"""


def link(name, mass, centre, inertia, rpy="0 0 0"):
    """Return a link; `inertia` are xx yy zz xy xz yz."""
    entries = zip(("ixx", "iyy", "izz", "ixy", "ixz", "iyz"), inertia, strict=True)
    given = " ".join(f'{key}="{value}"' for key, value in entries)
    return f"""  <link name="{name}"><inertial><origin xyz="{centre}" rpy="{rpy}"/><mass value="{mass}"/>
    <inertia {given}/></inertial></link>\n"""


def joint(name, kind, parent, child, xyz, rpy, axis, more=""):
    """Return a joint, with limits where other readers demand them."""
    if kind in ("revolute", "prismatic") and "<limit" not in more:
        more += '<limit lower="-3" upper="3" effort="9" velocity="3"/>'
    return f"""  <joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>
    <origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis}"/>{more}</joint>\n"""


def robot(name, *parts):
    """Return a file of links and joints."""
    return f'<robot name="{name}">\n{"".join(parts)}</robot>\n'


def arm(count=7):
    """Return an arm of skew joints, the fourth one prismatic, with turned and full inertias."""
    rng = np.random.default_rng(7)
    parts = ['  <link name="world"/>\n']
    for k in range(count):
        a = rng.uniform(-0.1, 0.1, (5, 3))
        J = sum(0.2 * (p @ p * np.eye(3) - np.outer(p, p)) for p in a)  # of five points: certainly possible
        entries = [f"{J[i][j]:.15g}" for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        numbers = [" ".join(f"{x:.6g}" for x in rng.uniform(-0.4, 0.4, 3)) for _ in range(3)]
        rpy, axis = (" ".join(f"{x:.6g}" for x in rng.uniform(-2, 2, 3)) for _ in range(2))
        parts.append(link(f"link{k}", f"{rng.uniform(0.5, 3):.6g}", numbers[0], entries, numbers[2]))
        kind = "prismatic" if k == 3 else "revolute"
        more = f'<dynamics damping="{0.05 * k}"/>' if k % 2 else ""
        parent = f"link{k - 1}" if k else "world"
        parts.append(joint(f"q{k}", kind, parent, f"link{k}", numbers[1], rpy, axis, more))
    return robot("arm", *parts)


def gripper():
    """Return a tree: a slide carries two fingers of which one mimics the other, and a lid is fixed to it."""
    J = (0.01, 0.02, 0.025, 0.001, -0.002, 0.003)
    mimic = '<mimic joint="left" multiplier="-1.5" offset="0.2"/>'
    return robot(
        "gripper", '  <link name="rail"/>\n',
        link("hand", 1.2, "0 0.1 0", J), link("lid", 0.3, "0.1 0 0", J, "0.3 0 1"),
        link("l", 0.4, "0.2 0 0.1", J), link("r", 0.5, "0.2 0.1 0", J),
        joint("slide", "prismatic", "rail", "hand", "0 0 1", "0.2 0.1 0", "1 0 1"),
        joint("weld", "fixed", "hand", "lid", "0 0 0.2", "0.5 0 0", "1 0 0"),
        joint("left", "revolute", "hand", "l", "0.1 0.1 0", "0 0.4 0", "0 1 0"),
        joint("right", "revolute", "lid", "r", "0.1 -0.1 0", "0 0 1", "0 1 1", mimic),
    )  # fmt: skip


def walker(base):
    """Return a trunk with two legs; its base is free, or carried by three slides and three hinges along x, y, z."""
    J = (0.1, 0.2, 0.25, 0.01, -0.02, 0.03)
    parts = ['  <link name="world"/>\n', link("trunk", 5, "0.05 0 0.02", J, "0.1 0.2 0.3")]
    if base == "floating":
        parts.append(joint("root", "floating", "world", "trunk", "0 0 0", "0 0 0", "1 0 0"))
    else:
        axes = ("1 0 0", "0 1 0", "0 0 1")
        steps = [("prismatic", axis) for axis in axes] + [("revolute", axis) for axis in axes]
        parts += [f'  <link name="s{k}"/>\n' for k in range(5)]
        for k, (kind, axis) in enumerate(steps):
            parent, child = f"s{k - 1}" if k else "world", f"s{k}" if k < 5 else "trunk"
            parts.append(joint(f"base{k}", kind, parent, child, "0 0 0", "0 0 0", axis))
    for k, side in enumerate(("left", "right")):
        y = 0.2 - 0.4 * k
        parts.append(link(f"{side}_thigh", 1.1, "0 0 -0.2", J))
        parts.append(link(f"{side}_shin", 0.7, "0.01 0 -0.15", J))
        parts.append(joint(f"{side}_hip", "revolute", "trunk", f"{side}_thigh", f"0.1 {y} 0", "0 0.3 0", "1 1 0"))
        knee = joint(f"{side}_knee", "revolute", f"{side}_thigh", f"{side}_shin", "0 0 -0.4", "0 0 0", "0 1 0")
        parts.append(knee)
    return robot("walker", *parts)


class Reference:
    """Tree of a text in revolute, continuous, prismatic and fixed joints, without mimic; in complex numbers."""

    def __init__(self, text):
        root = ET.fromstring(text)  # noqa: S314  texts of the tests
        self.links = {node.get("name"): node.find("inertial") for node in root.findall("link")}
        self.joints = root.findall("joint")
        self.moving = [j.get("name") for j in self.joints if j.get("type") != "fixed"]
        damping = {j.get("name"): j.find("dynamics") for j in self.joints}
        self.damping = np.array(
            [0.0 if damping[x] is None else float(damping[x].get("damping", 0)) for x in self.moving]
        )

    def inertia_and_weight(self, q):
        """Return M(q) and the generalized forces of the weights."""
        n = len(self.moving)
        children = {j.find("child").get("link") for j in self.joints}
        root = next(name for name in self.links if name not in children)
        frames = {root: (np.eye(3, dtype=complex), np.zeros(3, dtype=complex), [])}
        waiting = list(self.joints)
        while waiting:
            j = next(j for j in waiting if j.find("parent").get("link") in frames)
            waiting.remove(j)
            R, p, path = frames[j.find("parent").get("link")]
            xyz, rpy = origin(j)
            p, R = p + R @ xyz, R @ rotation(*rpy)
            if j.get("type") != "fixed":
                axis = vector(j.find("axis").get("xyz"))
                axis = axis / np.linalg.norm(axis)
                k = self.moving.index(j.get("name"))
                slides = j.get("type") == "prismatic"
                path = [*path, (k, R @ axis, None if slides else p)]
                p, R = (p + R @ axis * q[k], R) if slides else (p, R @ about(axis, q[k]))
            frames[j.find("child").get("link")] = R, p, path
        M, Q = np.zeros((n, n), dtype=complex), np.zeros(n, dtype=complex)
        for name, inertial in self.links.items():
            if inertial is None or name == root:
                continue
            R, p, path = frames[name]
            xyz, rpy = origin(inertial)
            centre, axes = p + R @ xyz, R @ rotation(*rpy)
            Jv, Jw = np.zeros((3, n), dtype=complex), np.zeros((3, n), dtype=complex)
            for k, axis, at in path:
                Jv[:, k] = axis if at is None else np.cross(axis, centre - at)
                Jw[:, k] = 0 if at is None else axis
            m, J = float(inertial.find("mass").get("value")), matrix(inertial.find("inertia"))
            M += m * Jv.T @ Jv + Jw.T @ axes @ J @ axes.T @ Jw
            Q += m * Jv.T @ GRAVITY
        return M, Q

    def system(self, q, v):
        """Return M and h of M q'' = h."""
        q, v, n = np.asarray(q, dtype=float), np.asarray(v, dtype=float), len(self.moving)
        M, Q = self.inertia_and_weight(q.astype(complex))
        dM = [self.inertia_and_weight(q + 1j * STEP * np.eye(n)[k])[0].imag / STEP for k in range(n)]
        turning = np.array([v @ dM[k] @ v / 2 for k in range(n)]) - sum(dM[k] @ v * v[k] for k in range(n))
        return M.real, Q.real + turning - self.damping * v

    def accelerations(self, q, v):
        """Return q''."""
        M, h = self.system(q, v)
        return np.linalg.solve(M, h)


def vector(text):
    """Return the numbers of a text."""
    return np.array([float(x) for x in text.split()])


def origin(node):
    """Return xyz and rpy of the <origin> in a node."""
    found = node.find("origin")
    given = {} if found is None else found.attrib
    return vector(given.get("xyz", "0 0 0")), vector(given.get("rpy", "0 0 0"))


def matrix(node):
    """Return the matrix of an <inertia>."""
    e = {key: float(value) for key, value in node.attrib.items()}
    return np.array([[e["ixx"], e["ixy"], e["ixz"]], [e["ixy"], e["iyy"], e["iyz"]], [e["ixz"], e["iyz"], e["izz"]]])


def about(axis, angle):
    """Return the turn by an angle about a unit axis."""
    x, y, z = axis
    across = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * across + (1 - np.cos(angle)) * across @ across


def rotation(roll, pitch, yaw):
    """Return the rotation of roll, pitch and yaw about fixed axes x, y, z, one after the other."""
    return about((0, 0, 1), yaw) @ about((0, 1, 0), pitch) @ about((1, 0, 0), roll)


def state(system, values):
    """Return the state of a system with (q, q') by the names of coordinates."""
    names = [str(x.func) for x in system.coordinates]
    return system.at([values[x][0] for x in names], [values[x][1] for x in names]), names


def random_values(names, seed):
    """Return random (q, q') by name."""
    rng = np.random.default_rng(seed)
    return {name: tuple(rng.uniform(-1.2, 1.2, 2)) for name in names}
