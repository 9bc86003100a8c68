"""What follows as formulas: the part of a System that shows matrices, stages, equations and reactions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .stated import Stated

if TYPE_CHECKING:
    from ..elimination.forms import Equations
    from ..elimination.stages import Stages
    from ..free_system import FreeSystem
    from ..reactions.derive import Reactions


class Algebra(Stated):
    """A system whose equations are asked for as formulas; what derives them is imported by then."""

    __slots__ = ()

    @property
    def free(self) -> FreeSystem:
        """The system without its constraints, A q'' = h: .A .h .Q .N and .matrix_form(...)."""
        from ..pipeline import algebra

        return algebra.free_system(self._statement.free)

    def stages(self, independent: Iterable[Any] | None = None, choice: str = "pivot") -> Stages:
        """What each constraint did, in order: .name .kind .verdict .freedom .beta .H .D .C .f of every stage.

        `independent` names coordinates that must not be eliminated; `choice` is "pivot" (sparse, as in the papers)
        or "orthogonal" (the columns of each H are orthogonal, by Gram and Schmidt; for a few rows, they grow long).
        """
        from ..elimination.stages import Stages
        from ..pipeline import algebra

        places = algebra.places(self._statement, independent, choice)
        return Stages(algebra.chain(self._statement.free, self.constraints, places, choice))

    def equations(
        self,
        form: str = "reduced",
        *,
        pseudovelocities: Any = None,
        independent: Iterable[Any] | None = None,
        choice: str = "pivot",
    ) -> Equations:
        """The equations of motion: .latex(), .text(), .mathml().

        `form` is "full" (A q'' = h + r, constraints, D^T r = 0), "reduced" (C q'' = f, constraints), "pseudovelocity"
        ((D^T A D) pi'' = D^T [h - A (D' pi' + d')]) or "multipliers" (A q'' = h + G^T lambda, constraints).
        Laws of constraints exert c beside G^T lambda: then D^T r = D^T c, and h + c stands for h. Friction follows the
        multiplier of its constraint, which the equations of eliminated coordinates determine. When contacts push and
        stick, and what drives can do, is said in `.remarks`.

        `pseudovelocities` maps a name to an expression linear in q' for each freedom; `independent` and `choice` are
        those of `stages`.
        """
        from ..pipeline import algebra

        places = algebra.places(self._statement, independent, choice)
        return algebra.forms(self._statement, form, pseudovelocities, places, choice)

    def accelerations(self) -> dict[Any, Any]:
        """Explicit formulas for q'', by coordinate; large systems rather ask system.at(q, v).accelerations.

        Unilateral contacts count as closed; friction has no formulas.
        """
        from ..pipeline import algebra

        found = algebra.explicit(self._statement.free, self.constraints)
        return dict(zip(self.coordinates, found, strict=True))

    def reactions(self, method: str = "multipliers") -> Reactions:
        """The generalized reaction of each constraint as formulas, by name; .total and .multipliers.

        `method` is "multipliers", "direct", "middle" or "accelerations"; they agree. Laws that are functions of the
        state count, r = G^T lambda + c; unilateral contacts count as closed; friction has no formulas.
        """
        from ..pipeline import algebra

        return algebra.reactions_of(self._statement.free, self.constraints, method)

    def influence(self, of: str | None = None, on: str | None = None) -> Any:
        """The matrix C with (change of the reaction of `on`) = C (reaction of `of`); without names, the whole table."""
        from ..pipeline import algebra

        return algebra.influence_of(self._statement.free, self.constraints, of, on)
