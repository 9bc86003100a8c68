"""Stand-in for a trajectory: closed curves with the attributes that plots and the command line use."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import lienket as lk
from lienket import der


class Outcome(str):
    complete = True

    @classmethod
    def of(cls, sentence, complete=True):
        outcome = cls(sentence)
        outcome.complete = complete
        return outcome

    @property
    def ending(self):
        return str(self)


class Audit:
    good = True

    def text(self):
        return "law        worst\nposition   1.0e-12\nequations  2.0e-15"

    __str__ = text


def rows_of(system):
    return {c.name: len(c.expressions) for c in system.constraints}


@dataclass(frozen=True, eq=False)
class StandIn:
    """q_i = sin(w_i t + i), multipliers lambda_k = cos(t + k), reactions e_i lambda; residuals of a chosen size."""

    system: object
    t: np.ndarray
    size: float = 1e-11
    outcome: str = field(default_factory=lambda: Outcome.of("The run reached t = 10."))
    audit: object = field(default_factory=Audit)
    rank_events: tuple = ()
    undetermined: tuple = ()  # constraints whose reactions are not determined in the middle of the run
    dense: bool = True
    start: object = None
    switches: tuple = ()
    events: dict = field(default_factory=dict)

    @property
    def coordinate_names(self):
        return tuple(str(x.func) for x in self.system.coordinates)

    @property
    def constraints(self):
        return tuple(rows_of(self.system))

    @property
    def multiplier_columns(self):
        ends = np.cumsum(list(rows_of(self.system).values()))
        return {
            name: slice(end - size, end) for (name, size), end in zip(rows_of(self.system).items(), ends, strict=True)
        }

    def _wave(self, order):
        i = np.arange(len(self.coordinate_names))
        rate = 1 + 0.1 * i
        return rate**order * np.sin(np.outer(self.t, rate) + i + order * np.pi / 2)

    q = property(lambda self: self._wave(0))
    v = property(lambda self: self._wave(1))
    accelerations = property(lambda self: self._wave(2))

    @property
    def multipliers(self):
        k = np.arange(sum(rows_of(self.system).values()))
        return np.cos(self.t[:, None] + k)

    @property
    def reactions(self):
        reactions = {}
        for i, name in enumerate(self.constraints):
            reaction = np.cos(self.t[:, None] + i) * (1 + np.arange(len(self.coordinate_names)))
            if name in self.undetermined:
                reaction[len(self.t) // 3 : len(self.t) // 2 + 1] = np.nan
            reactions[name] = reaction
        return reactions

    outputs = drives = contacts = program_errors = property(lambda self: {})

    @property
    def energy(self):
        kinetic, work = np.sin(self.t) ** 2, 0.1 * self.t
        potential = 1 + work - kinetic + 1e-9 * self.t
        total = kinetic + potential
        return SimpleNamespace(kinetic=kinetic, potential=potential, total=total, work=work, imbalance=total - 1 - work)

    @property
    def residuals(self):
        kinds = {"holonomic": ("position", "velocity", "acceleration"), "velocity": ("velocity", "acceleration")}
        by_level = {"position": {}, "velocity": {}, "acceleration": {}}
        for i, c in enumerate(self.system.constraints):
            for level in kinds.get(c.kind, ("acceleration",)):
                by_level[level][c.name] = self.size * np.abs(np.sin((1 + i) * self.t))
        return by_level

    def sampled(self, times):
        if not self.dense:
            raise lk.LienketError("This trajectory has no dense output.")
        return replace(self, t=np.asarray(times, dtype=float))

    def save(self, path):
        Path(path).write_text("t\n")


def oscillators(count, units=None, constraints=()):
    """State `count` masses with the named constraints, each between two neighbours."""
    x = [lk.coordinates(f"x{i + 1}") for i in range(count)]
    masses = [lk.parameters(f"m{i + 1}") for i in range(count)]
    kinetic = sum(m * der(e) ** 2 for m, e in zip(masses, x, strict=True)) / 2
    system = lk.System("oscillators", x, kinetic=kinetic, units=units)
    for i, name in enumerate(constraints):
        system = system.constrain(name, x[i] - x[i + 1])
    return system


def run(system, rows=200, until=10.0, **more):
    return StandIn(system, np.linspace(0.0, until, rows), **more)
