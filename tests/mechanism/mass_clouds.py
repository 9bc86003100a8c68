"""Solids as weighted points: Gauss rules and sums over equal angles, exact for the moments of second degree."""

from itertools import pairwise, product

import numpy as np

NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)  # exact up to degree 7
ANGLES = 2 * np.pi * np.arange(8) / 8  # exact for trigonometric polynomials up to degree 7


def interval(a, b):
    """Return points and weights, of sum 1, of a uniform interval."""
    return (a + b) / 2 + (b - a) / 2 * NODES, WEIGHTS / 2


def cloud(points, weights, mass=1.0):
    """Return points and the masses at them."""
    weights = np.asarray(weights, float)
    return np.asarray(points, float), mass * weights / weights.sum()


def rod(length):
    x, w = interval(0, length)
    return cloud([(a, 0, 0) for a in x], w)


def box(a, b, c):
    axes = [list(zip(*interval(-s / 2, s / 2), strict=True)) if s else [(0.0, 1.0)] for s in (a, b, c)]
    return cloud(*zip(*[((x, y, z), u * v * w) for (x, u), (y, v), (z, w) in product(*axes)], strict=True))


def round_body(radii, heights):
    """Return the cloud of points with a radius from a list of (radius, weight) at each of (height, weight)."""
    listed = [((r * np.cos(p), r * np.sin(p), z), u * w) for z, w in heights for r, u in radii(z) for p in ANGLES]
    return cloud(*zip(*listed, strict=True))


def annulus(inner, outer):
    """Return radii with weights proportional to r dr."""
    r, w = interval(inner, outer)
    return list(zip(r, w * r * (outer - inner), strict=True))


def along(a, b):
    """Return heights with weights proportional to dz."""
    z, w = interval(a, b)
    return list(zip(z, w * (b - a), strict=True))


def ring(radius):
    return round_body(lambda z: [(radius, 1.0)], [(0.0, 1.0)])


def disc(radius):
    return round_body(lambda z: annulus(0, radius), [(0.0, 1.0)])


def tube(inner, outer, length):
    return round_body(lambda z: annulus(inner, outer), along(-length / 2, length / 2))


def cone(radius, height):
    return round_body(lambda z: annulus(0, radius * (1 - z / height)), along(0, height))


def sphere(radius):
    return round_body(lambda z: annulus(0, np.sqrt(radius**2 - z**2)), along(-radius, radius))


def shell(radius):
    """Return a spherical surface: by Archimedes its area is uniform along any axis."""
    return round_body(lambda z: [(np.sqrt(radius**2 - z**2), 1.0)], along(-radius, radius))


def capsule(radius, length):
    def radii(z):
        beyond = max(abs(z) - length / 2, 0.0)
        return annulus(0, np.sqrt(radius**2 - beyond**2))

    half = length / 2
    return round_body(radii, along(-half - radius, -half) + along(-half, half) + along(half, half + radius))


def polygon(corners):
    """Return signed masses at the middles of the edges of the triangles from the first corner: exact for degree 2."""
    p = [np.array([*corner, 0.0]) for corner in corners]
    points, weights = [], []
    for b, c in pairwise(p[1:]):
        area = np.cross(b - p[0], c - p[0])[2]
        for q in ((p[0] + b) / 2, (b + c) / 2, (c + p[0]) / 2):
            points.append(q)
            weights.append(area / 3)
    return cloud(points, weights)


def turned(R, shift, points):
    """Return points turned about the origin and then shifted."""
    return points @ np.asarray(R).T + np.asarray(shift)


def moments(points, masses):
    """Return mass, centre and the matrix of inertia about the centre."""
    m = masses.sum()
    c = masses @ points / m
    d = points - c
    return (
        m,
        c,
        np.einsum("k,kij->ij", masses, np.einsum("kl,kl,ij->kij", d, d, np.eye(3)) - np.einsum("ki,kj->kij", d, d)),
    )
