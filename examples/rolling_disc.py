"""A disc that rolls on a horizontal line: the system of paper 000, stated, derived and printed.

python examples/rolling_disc.py
"""

import lienket as lk
from lienket import der

m, J, r, g = lk.parameters("m J r g")
x, y, phi = lk.coordinates("x y phi")

disc = lk.System(
    "rolling disc",
    [x, y, phi],
    kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2,
    potential=m * g * y,
)
rolling = disc.constrain("contact", y - r).constrain("rolling", x + r * phi)


def main() -> None:
    """Print the statement and the equations of the free system."""
    print(rolling)
    print("\nThe free system, A q'' = h, one equation per line:\n")
    for line in rolling.free.text().splitlines():
        print(f"  {line}")
    print("\nThe same in LaTeX:\n")
    print(rolling.free.latex("lines"))


if __name__ == "__main__":
    main()
