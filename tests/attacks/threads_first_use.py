"""A fresh process whose threads all make their first use of the package at once: python threads_first_use.py SEED.

Every thread takes the same questions in an order of its own; the answers must be those of the main thread afterwards.
"""

import random
import sys
import tempfile
from pathlib import Path
from threading import Barrier, Thread

import lienket as lk

THREADS = 8


def pendulum() -> "lk.System":
    x, y = lk.coordinates("x y")
    g = lk.parameters("g")
    kinetic = (lk.der(x) ** 2 + lk.der(y) ** 2) / 2
    return lk.System("p", [x, y], kinetic=kinetic, potential=g * y, values={"g": 9.81}).constrain(
        "rod", x**2 + y**2 - 1
    )


def simulate() -> str:
    return repr(pendulum().simulate(start={"x": 0.6}, guess={"y": -1}, until=1).q[-1].tolist())


def radau() -> str:
    return repr(pendulum().simulate(start={"x": 0.6}, guess={"y": -1}, until=0.2, method="radau5").q[-1].tolist())


def bounce() -> str:
    y = lk.coordinates("y")
    ball = lk.System("b", [y], kinetic=lk.der(y) ** 2 / 2, potential=9.81 * y)
    return repr(
        ball.constrain("floor", y, law=lk.laws.Unilateral(0.5)).simulate(start={"y": 1}, until=0.6).q[-1].tolist()
    )


def equilibrium() -> str:
    return repr(pendulum().equilibrium(guess={"y": -1}).q.round(9).tolist())


def linearize() -> str:
    return repr(pendulum().linearize({"x": 0, "y": -1}).eigenvalues.round(9).tolist())


def sensitivity() -> str:
    found = pendulum().sensitivity(start={"x": 0.6}, guess={"y": -1}, until=0.5, by=["g"])
    return repr(found.values.tolist())


def formulas() -> str:
    return pendulum().equations("reduced").text() + str(pendulum().reactions()["rod"]) + str(pendulum().stages())


def state() -> str:
    return repr(pendulum().at([0.6, -0.8], [0.0, 0.0]).reactions["rod"].tolist())


def evaluate() -> str:
    compiled = pendulum().compile()
    return repr(compiled.evaluate([0.0] * 3, [[0.6, -0.8]] * 3, [[0.0, 0.0]] * 3).accelerations.tolist())


def files() -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "p.toml")
        lk.save(pendulum(), path)
        return repr(lk.load(path) == pendulum())


def ready_made() -> str:
    x, y = lk.coordinates("x y")
    return repr(lk.catalogue.distance((x, y), (0, 0), 2)) + repr(lk.laws.Coulomb(0.3, slip=lk.der(x)))


def driven() -> str:
    x = lk.coordinates("x")
    mass = lk.System("m", [x], kinetic=lk.der(x) ** 2 / 2)
    return repr(
        mass.constrain("go", lk.Program(x - lk.t, drives={"F": {x: 1}}, feedback=2, bounds={"F": (-1, 1)}))
        .simulate(until=0.5)
        .q[-1]
        .tolist()
    )


ACTIONS = (
    simulate, radau, bounce, equilibrium, linearize, sensitivity, formulas, state, evaluate, files, ready_made, driven,
)  # fmt: skip


def main(seed: int) -> int:
    sys.setswitchinterval(random.Random(seed).choice([1e-5, 1e-4, 5e-3]))
    barrier, answers, faults = Barrier(THREADS), {}, []

    def work(number: int) -> None:
        actions = list(ACTIONS)
        random.Random(1000 * seed + number).shuffle(actions)
        barrier.wait()
        for action in actions:
            try:
                answers[number, action.__name__] = action()
            except BaseException as error:  # whatever a thread meets is a finding
                faults.append(f"{action.__name__}: {type(error).__name__}: {error}")

    threads = [Thread(target=work, args=(k,)) for k in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = {action.__name__: action() for action in ACTIONS}
    faults += [f"{name} differs: {a} and {alone[name]}" for (_, name), a in answers.items() if a != alone[name]]
    print(*sorted(set(faults)), sep="\n")
    return len(faults)


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]))))
