"""Attack on bounds of drives: of zero width, on one side, without zero between them, beside weights of all sizes.

u = argmin |M u - b|^2 within the bounds, the largest entry of each row of M being 1, and of those the least sum w u^2:
`at` against the machine code of `evaluate`, and both against the conditions of Karush, Kuhn and Tucker.
"""

import numpy as np
import pytest
from attack_cases import attack_cases

import lienket as lk


def drawn_bounds(rng):
    """Return (least, most) of a random kind."""
    a, b = np.sort(rng.normal(size=2) * rng.choice([0.1, 1.0, 10.0]))
    kinds = [
        (a, b), (a, a), (0, 0), (None, a), (a, None), (0, None), (None, 0), (None, None), (abs(b), abs(b) + 1),
        (-np.inf, a), (a, np.inf), (-np.inf, np.inf), (a, np.nextafter(a, np.inf)),
    ]  # fmt: skip
    return kinds[rng.integers(len(kinds))]


@pytest.mark.parametrize("seed", attack_cases(12))
def test_drives_are_optimal_within_any_bounds(seed):
    rng = np.random.default_rng([14, seed])
    n, p = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    m = int(rng.integers(1, min(n, p) + 1))
    x = [lk.coordinates(f"x{k}") for k in range(n)]
    mass, J, E, w = (
        rng.uniform(0.5, 2, n),
        rng.normal(size=(m, n)),
        rng.normal(size=(p, n)),
        10 ** rng.uniform(-2, 2, p),
    )
    bounds = [drawn_bounds(rng) for _ in range(p)]
    free = lk.System("masses", x, kinetic=sum(a * lk.der(y) ** 2 for a, y in zip(mass, x, strict=True)) / 2)
    program = lk.Program(
        [sum(c * y for c, y in zip(row, x, strict=True)) - (k + 1) * lk.t**2 for k, row in enumerate(J)],
        drives={f"u{k}": {y: c for c, y in zip(row, x, strict=True)} for k, row in enumerate(E)},
        weights={f"u{k}": v for k, v in enumerate(w)},
        bounds={f"u{k}": pair for k, pair in enumerate(bounds)},
        feedback=1,
    )
    system = free.constrain("go", program)
    q, v = rng.normal(size=n), rng.normal(size=n)
    M = J @ (E / mass).T
    b = 2 * np.arange(1, m + 1) - 2 * (J @ v) - J @ q
    size = np.max(np.abs(M), axis=1)
    M, b = M / size[:, None], b / size
    least, most = (np.array([d if y is None else y for y in pair], dtype=float) for pair, d in
                   zip(zip(*bounds, strict=True), (-np.inf, np.inf), strict=True))  # fmt: skip
    plain = np.array(list(system.at(q, v).drives.values()))
    native = np.array([u[0] for u in system.compile().evaluate([0.0], [q], [v]).drives.values()])
    for u in (plain, native):
        assert np.all((least <= u) & (u <= most))
    scale = np.abs(b) + np.abs(M) @ np.abs(plain)
    free = (least < plain) & (plain < most)
    scaled = M / np.sqrt(w) / np.max(np.abs(M / np.sqrt(w)))
    if free.any() and np.linalg.svd(scaled[:, free])[1][-1] < 1e-3:
        return  # the small weight of sum w u^2 beside |M u - b|^2, which both have, shows
    size = np.max(np.abs(plain)) + 1e-3
    assert np.allclose(M @ plain - b, M @ native - b, rtol=0, atol=1e-5 * np.max(scale))
    assert np.allclose(plain, native, rtol=0, atol=1e-5 * size * np.sqrt(max(w) / min(w)))
    slope = M.T @ (M @ plain - b)
    allowed = 1e-5 * np.abs(M).T @ scale
    rounding = 1e-12 * size
    may_grow, may_fall = plain < most - rounding, plain > least + rounding
    assert np.all(slope[may_grow] >= -allowed[may_grow])
    assert np.all(slope[may_fall] <= allowed[may_fall])
