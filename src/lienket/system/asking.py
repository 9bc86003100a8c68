"""What is asked beyond motion: the part of a System that is linearized and brought to rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..pipeline import questions, resting
from .stated import Stated


class Asking(Stated):
    """A system of which small deviations and equilibria are asked."""

    __slots__ = ()

    def linearize(
        self, q: Any = None, v: Any = None, t: Any = 0.0, values: Any = None, *, inputs: Iterable[Any] | None = None,
        outputs: Mapping[str, Any] | None = None, independent: Iterable[Any] | None = None, symbolic: bool = False,
    ) -> Any:  # fmt: skip
        """The linear system beside a state or a steady motion: .A .B .C .D .eigenvalues .modes .stable.

        `q`, `v` (rest if left out), `t` and `values` are those of `at`; `q` may also be a whole state, such as a start
        or an equilibrium. The state must lie on its constraints. `independent` names the states x, positions "x" and
        velocities "x'"; well conditioned ones are taken if it is left out. `inputs` are names of parameters. `outputs`
        maps names to expressions of q, q', q'', t, parameters and the multipliers lambda_1, lambda_2, ... of the rows.
        With `symbolic`, for small systems, q and v map to expressions, 0 where nothing is said, and the matrices are
        SymPy's; numbers for parameters are only those in `values`.
        """
        if symbolic:
            from ..pipeline import formulas

            return formulas.linear_formulas(self._statement, q, v, t, values, inputs, outputs, independent)
        return questions.linearize(self._statement, q, v, t, values, inputs, outputs, independent)

    def equilibrium(
        self, guess: Any = None, values: Any = None, *, t: float = 0.0, fixed: Any = None, over: Any = None
    ) -> Any:
        """A position of rest near a guess: .q .multipliers .reactions .stiffness .stable .frequencies.

        `guess` is a mapping of positions (0 where nothing is said) or all of them in order; `values` and `t` are those
        of `at`. `fixed` holds coordinates: a mapping to their places, or names, held as guessed; what holds x is the
        reaction of "x held". `over`, a pair of a parameter's name and numbers, asks for the branch of equilibria over
        that parameter.
        """
        return resting.equilibrium(self._statement, guess, values, t, fixed, over)
