"""Groups of curves that share axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...foundation.arrays import Array

SIZE_RATIO_LIMIT = 50.0  # [1] ratio of sizes above which two curves are drawn on separate axes
ROUNDING_SIZE = 1e-12  # [1] size of a curve, relative to the largest of its unit, below which it counts as zero
GROUP_LIMIT = 6  # [1] rows of axes above which curves are grouped by unit alone


def curve_groups(units: Sequence[str], curves: Sequence[Array]) -> list[list[int]]:
    """Return the groups of curves, by index, that share axes: equal units and comparable sizes."""
    by_unit: dict[str, list[int]] = {}
    for i, unit in enumerate(units):
        by_unit.setdefault(unit, []).append(i)
    sizes = [float(np.max(np.abs(np.where(np.isfinite(c), c, 0.0)), initial=0.0)) for c in curves]
    by_size = []
    for members in by_unit.values():
        by_size += _by_size(members, sizes)
    return by_size if len(by_size) <= GROUP_LIMIT else list(by_unit.values())


def _by_size(members: list[int], sizes: Sequence[float]) -> list[list[int]]:
    """Split the members, ordered by size, where the size ratio exceeds the limit; those at zero join the smallest."""
    smallest = ROUNDING_SIZE * max(sizes[i] for i in members)
    moving = sorted((i for i in members if sizes[i] > smallest), key=lambda i: -sizes[i])
    bands: list[list[int]] = []
    for i in moving:
        if bands and sizes[bands[-1][-1]] <= SIZE_RATIO_LIMIT * sizes[i]:
            bands[-1].append(i)
        else:
            bands.append([i])
    at_zero = [i for i in members if not sizes[i] > smallest]
    if not bands:
        return [at_zero]
    bands[-1] += at_zero
    return [sorted(band) for band in bands]
