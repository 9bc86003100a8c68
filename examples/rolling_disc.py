"""A disc rolling on a horizontal line (paper 000): from its energy to its reactions, one constraint at a time.

python examples/rolling_disc.py
"""

import lienket as lk
from lienket import der

m, J, r, g, F = lk.parameters("m J r g F")
x, y, phi = lk.coordinates("x y phi")

disc = lk.System(
    "rolling disc",
    [x, y, phi],
    kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2,
    potential=m * g * y,
    forces={x: F},
    values={"m": 2.0, "J": 0.5, "r": 0.3, "g": 9.81, "F": 1.2},
)
rolling = disc.constrain("contact", y - r).constrain("rolling", x + r * phi)


def section(title: str, content: object) -> None:
    """Print a title and an indented block."""
    print(f"\n{title}\n")
    for line in str(content).splitlines():
        print(f"  {line}")


def main() -> None:
    """Print the statement, the equations, the reactions and the numbers at one state."""
    print(rolling)
    section("Without its constraints, A q'' = h:", rolling.free)
    section("One constraint at a time:", rolling.stages())
    section("The full form, A q'' = h + r with D^T r = 0:", rolling.equations("full"))
    section("The reduced form, C q'' = f:", rolling.equations("reduced"))
    section("In the remaining independent velocity:", rolling.equations("pseudovelocity"))
    section("Reaction of each constraint:", rolling.reactions())
    again = rolling.constrain("third", 2 * (y - r) + 3 * (x + r * phi))
    section("A third constraint, 2 (y - r) + 3 (x + r phi) = 0:", again.stages()["third"].verdict)
    state = rolling.at({"x": -0.3, "y": 0.3, "phi": 1.0}, {"x": 0.6, "y": 0.0, "phi": -2.0})
    numbers = "\n".join(f"{name}: {vector.round(6)}" for name, vector in state.reactions.items())
    section("In numbers at one state:", f"q'' = {state.accelerations.round(6)}\n{numbers}\n{state.audit}")
    print("\nThe reduced form in LaTeX:\n")
    print(rolling.equations("reduced").latex())


if __name__ == "__main__":
    main()
