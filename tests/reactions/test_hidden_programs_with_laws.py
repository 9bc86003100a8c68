"""Hidden rows of programs of higher relative degree under non-ideal constraints."""

import pytest
import sympy as sp

import lienket as lk
from lienket import der, t
from lienket.analysis.drives.drive import hidden_of

s, l, x, z = lk.coordinates("s l x z")
M, J, r, g, m, b = lk.parameters("M J r g m b")
KINETIC = M * der(s) ** 2 / 2 + m * (der(x) ** 2 + der(z) ** 2) / 2 + J * der(l) ** 2 / (2 * r**2)


def crane(law, forces=None):
    free = lk.System("crane", [s, l, x, z], kinetic=KINETIC, potential=-m * g * z, forces=forces)
    hanging = free.constrain("rope", (x - s) ** 2 + z**2 - l**2, law=law)
    path = lk.Program([x - sp.sin(t), z - 4 + t / 4], drives={"F": {s: 1}, "M_n": {l: -1 / r}})
    return hidden_of(hanging.constrain("path", path)._statement)


def test_a_viscous_law_gives_the_hidden_row_of_its_force():
    """With air drag on the load, as a law of the rope or as a force, the rope has the same angle."""
    lawful, forced = crane(lk.laws.Viscous(b, slip=der(x))), crane(None, {x: -b * der(x)})
    leaning = m * (g * x - g * s - z * sp.sin(t)) + b * z * sp.cos(t)
    for hidden in (lawful, forced):
        ratio = sp.simplify(hidden.rows[0].expression / leaning)
        assert ratio in (1, -1)
    assert lawful.degrees == forced.degrees


def test_friction_in_a_hidden_program_is_refused_by_name():
    with pytest.raises(lk.LienketError, match="The friction of 'rope' enters the hidden programs"):
        crane(lk.Coulomb(b, slip=der(x)))
    harmless = crane(lk.Coulomb(b, slip=der(s)))  # friction of the trolley, which its drive compensates
    assert harmless.rows[0].expression == crane(None).rows[0].expression
