"""States of drawn mechanisms in both kinds of coordinates, and the balance of force and moment of every body."""

import numpy as np
from independent_mechanics import Motion, constraint_matrix, joint_jet, joint_motions, null_space, parameters_of


class Audited:
    """A drawn mechanism's system at its drawn state, beside the motion of its bodies computed independently."""

    def __init__(self, drawn, coordinates="relative"):
        self.drawn, self.absolute = drawn, coordinates == "absolute"
        self.system = drawn.build().system(coordinates)
        self.names = [str(x.func) for x in self.system.coordinates]
        self.q, self.v = self._state()
        self.state = self.system.at(self.q, self.v)
        self.motion = self._motion(self.names, self.q, self.v, self.state.accelerations)

    def _motion(self, names, q, v, a):
        return Motion(self.drawn, names, np.array([q, v, a]), self.absolute)

    def _state(self):
        """Return q, v of the system: of joints, or of bodies; angles that count turns follow from the bodies."""
        drawn = self.drawn
        relative = Motion(drawn, drawn.names, np.array([drawn.q, drawn.v, 0 * drawn.v]))
        known = dict(zip(drawn.names, zip(drawn.q, drawn.v, strict=True), strict=True))
        if self.absolute:
            known = {}
            for body in drawn.bodies:
                x, v, _ = relative.point(body.name, body.centre)
                R, w = relative.rotation(body.name), relative.turning(body.name)[0]
                rows = list(zip(x, v, strict=True))
                if drawn.planar:
                    rows[2] = (drawn.angle[body.name], w[2])
                else:
                    p = parameters_of(R)
                    rates = np.r_[-p[1:] @ w, p[0] * w - np.cross(p[1:], w)] / 2
                    rows += list(zip(p, rates, strict=True))
                known |= {f"{body.name}{s}": row for s, row in zip(drawn.free_suffixes, rows, strict=True)}
        for name in set(self.names) - set(known):
            link, k = drawn.coordinate[name]
            known[name] = (link.q[k], relative.rate(name))
        return np.array([known[name] for name in self.names]).reshape(-1, 2).T

    # What must agree

    def kinematics(self):
        """Return the largest errors of what bodies and joints report, relative to the size of the motion."""
        errors = {}
        for body in self.drawn.bodies:
            found, planar = self.state.bodies[body.name], self.drawn.planar
            x, v, _ = self.motion.point(body.name, np.zeros(3))
            w, _ = self.motion.turning(body.name)
            R = self.motion.rotation(body.name)
            pairs = [(found.position, x), (found.velocity, v)]
            if planar:
                pairs = [(seen, exact[:2]) for seen, exact in pairs]
                pairs += [(np.exp(1j * found.rotation), R[0, 0] + 1j * R[1, 0]), (found.angular_velocity, w[2])]
            else:
                pairs += [(found.rotation, R), (found.angular_velocity, w)]
            errors[body.name] = [difference(*pair) for pair in pairs]
        for link in self.drawn.links:
            errors[link.name] = self._joint_errors(link)
        return errors

    def _joint_errors(self, link):
        """Compare the relative place of a joint with J of its reported coordinates, rates and second rates."""
        found = self.state.joints[link.name]
        reported = np.array([found.q, found.v, found.accelerations])
        J, exact = joint_jet(link, self.drawn.planar, reported), self.motion.between(link)
        return [difference(x, y) for x, y in zip(J, exact, strict=True)]

    def efforts(self):
        """Return the efforts by element, of a wheel both multipliers; expected ones are compared with the reported."""
        efforts, multipliers, first = {}, {}, 0
        for c in self.system.constraints:
            count = len(c.expressions)
            multipliers[c.name] = self.state.multipliers[first : first + count]
            first += count
        for part in self.drawn.parts:
            effort = self.state.elements[part.name].effort
            expected = part.expected(self.motion)
            if expected is not None:
                assert difference(effort, expected) < 1e-11, part
            elif part.kind == "rolling":
                effort = [multipliers[part.name][0], multipliers[f"{part.name}_slip"][0]]
            efforts[part.name] = effort
        return efforts

    def wrench(self, link):
        """Return the reported force and torque of a joint as vectors of space."""
        joint = self.state.joints[link.name]
        if self.drawn.planar:
            return np.r_[joint.force, 0], np.r_[0, 0, joint.torque]
        return joint.force, joint.torque

    def balance(self):
        """Return by body the error of m a = sum F and of J om' + om x J om = sum M, relative to their parts."""
        motion, parts = self.motion, {}
        for body in self.drawn.bodies:
            a = motion.point(body.name, body.centre)[2]
            R = motion.rotation(body.name)
            w, turning = motion.turning(body.name)
            J = R @ body.J @ R.T
            g = np.r_[self.drawn.gravity]
            parts[body.name] = [(-body.mass * a, -J @ turning - np.cross(w, J @ w)), (body.mass * g, np.zeros(3))]

        def act(body, point, force, torque):
            if body != "ground":
                centre = motion.point(body, self.drawn.body[body].centre)[0]
                parts[body].append((force, torque + np.cross(point - centre, force)))

        for link in self.drawn.links:
            force, torque = self.wrench(link)
            point = motion.point(link.second.body, link.second.r)[0]
            act(link.second.body, point, force, torque)
            act(link.first.body, point, -force, -torque)
        efforts = self.efforts()
        for part in self.drawn.parts:
            for acting in part.exerted(motion, efforts[part.name]):
                act(*acting)
        return {name: self._error(np.array(some)) for name, some in parts.items()}

    def _error(self, some):
        if self.drawn.planar:
            some = some * np.array([[1, 1, 0], [0, 0, 1]])
        return np.abs(some.sum(axis=0)).max() / max(1.0, np.abs(some).max())

    def other_axes(self):
        """Return by joint the error of the force in the axes of its places, turned by the independent frames."""
        errors = {}
        for link in self.drawn.links:
            joint, errors[link.name] = self.state.joints[link.name], []
            for which, spot in (("first", link.first), ("second", link.second)):
                turn = (self.motion.T[spot.body][0] @ spot.jet()[0])[:3, :3]
                found, exact = joint.in_axes(which), self.wrench(link)
                force = (turn.T @ exact[0])[: len(found.force)]
                torque = (turn.T @ exact[1])[2] if self.drawn.planar else turn.T @ exact[1]
                errors[link.name] += [difference(found.force, force), difference(found.torque, torque)]
        return errors

    def work(self):
        """Return by joint the power of its reaction in its own free motions, relative to the reaction."""
        found = {}
        for link in self.drawn.links:
            force, torque = self.wrench(link)
            B = (self.motion.T[link.second.body][0] @ link.second.jet()[0])[:3, :3]
            twists = joint_motions(link, self.drawn.planar, link.q)
            power = np.r_[B.T @ torque, B.T @ force] @ twists
            found[link.name] = np.abs(power).max(initial=0.0) / max(1.0, np.abs([force, torque]).max())
        return found

    def rows(self):
        """Return how far the null spaces of the reported and the independent G are apart, and both G D."""
        G, _ = constraint_matrix(self.drawn, self.names, self.q, self.absolute)
        D, _ = null_space(G)
        own = self.state.G
        size = np.abs(own).max(initial=1.0)
        apart = [len(own) - len(G), D.shape[1] - self.drawn.freedom]
        return [*apart, np.abs(own @ D).max(initial=0.0) / size, np.abs(own @ self.state.D).max(initial=0.0) / size]


def difference(one, other):
    """Return the largest difference of two arrays relative to their size, at least 1."""
    return np.abs(np.subtract(one, other)).max(initial=0.0) / max(1.0, np.abs(other).max(initial=0.0))
