"""What is asked beyond motion: the part of a System that is linearized and brought to rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from ..pipeline import questions, resting
from .stated import Stated

if TYPE_CHECKING:
    from ..elimination.linear_formulas import LinearFormulas
    from ..results.equilibria import Equilibria
    from ..results.equilibrium import Equilibrium
    from ..results.linearization import Linearization

Names = Iterable[Any] | None
Outputs = Mapping[str, Any] | None


class Asking(Stated):
    """A system of which small deviations and equilibria are asked."""

    __slots__ = ()

    @overload
    def linearize(  # noqa: D418
        self, q: Any = ..., v: Any = ..., t: Any = ..., values: Any = ..., *, inputs: Names = ...,
        outputs: Outputs = ..., independent: Names = ..., symbolic: Literal[False] = ...,
    ) -> Linearization:  # fmt: skip
        """In numbers."""

    @overload
    def linearize(  # noqa: D418
        self, q: Any = ..., v: Any = ..., t: Any = ..., values: Any = ..., *, inputs: Names = ...,
        outputs: Outputs = ..., independent: Names = ..., symbolic: Literal[True],
    ) -> LinearFormulas:  # fmt: skip
        """As formulas."""

    def linearize(
        self, q: Any = None, v: Any = None, t: Any = 0.0, values: Any = None, *, inputs: Names = None,
        outputs: Outputs = None, independent: Names = None, symbolic: bool = False,
    ) -> Linearization | LinearFormulas:  # fmt: skip
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

    @overload
    def equilibrium(  # noqa: D418
        self, guess: Any = ..., values: Any = ..., *, t: float = ..., fixed: Any = ..., over: None = ...
    ) -> Equilibrium:
        """One position."""

    @overload
    def equilibrium(  # noqa: D418
        self,
        guess: Any = ...,
        values: Any = ...,
        *,
        t: float = ...,
        fixed: Any = ...,
        over: tuple[Any, Iterable[float]],
    ) -> Equilibria:
        """A branch over a parameter."""

    def equilibrium(
        self, guess: Any = None, values: Any = None, *, t: float = 0.0, fixed: Any = None, over: Any = None
    ) -> Equilibrium | Equilibria:
        """A position of rest near a guess: .q .multipliers .reactions .stiffness .stable .frequencies.

        `guess` is a mapping of positions (0 where nothing is said) or all of them in order; `values` and `t` are those
        of `at`. `fixed` holds coordinates: a mapping to their places, or names, held as guessed; what holds x is the
        reaction of "x held". `over`, a pair of a parameter's name and numbers, asks for the branch of equilibria over
        that parameter.
        """
        return resting.equilibrium(self._statement, guess, values, t, fixed, over)
