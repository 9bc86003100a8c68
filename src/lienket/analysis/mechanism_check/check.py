"""Check of a mechanism: Gruebler's and Kutzbach's count beside the true rank, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import StartError
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...mechanism.elements.holding import HOLDING
from ...mechanism.joints import kind_of
from ...mechanism.state import MechanismState
from ...model.bodies import Description
from .dependence import NEAR_LIMIT, Dependence, dependence_of
from .inertia import without_inertia
from .number_algebra import NumberAlgebra
from .positions import Assembler
from .proposals import Proposal, proposals_for
from .request import Request, read_request
from .result import ALWAYS, HERE, MechanismCheck, Redundancy
from .twists import Twists

if TYPE_CHECKING:
    from ...mechanism.building.builder import Builder

RELATIVE = "relative"


@dataclass(frozen=True, eq=False)
class Finding:
    """Rows at the assembled position, and those of the neighbour of highest rank if there is one."""

    twists: Twists
    here: Dependence
    beside: Dependence | None


def check(
    builder: Builder, start: object = None, coordinates: str = RELATIVE, values: object = None, guess: object = None
) -> MechanismCheck:
    """Return what is found of a mechanism; raise ModelError with all its faults."""
    request = read_request(builder, coordinates)
    problem, found = "", None
    try:
        found = _finding(request, Assembler(request.statement, values), start, guess)
    except StartError as error:
        problem = str(error)
        if coordinates != RELATIVE:
            found, problem = _in_relative_coordinates(builder, start, values, guess, problem)
    rows = _rows(request)
    bodies = len(request.description.bodies)
    redundant, proposals = _redundant(found, request)
    return MechanismCheck(
        name=request.statement.name,
        planar=request.description.planar,
        bodies=bodies,
        rows=rows,
        gruebler=(3 if request.description.planar else 6) * bodies - rows,
        freedom=None if found is None else found.here.freedom,
        freedom_nearby=None if found is None or found.beside is None else found.beside.freedom,
        redundant=redundant,
        proposals=proposals,
        loops=request.loops,
        floating=request.floating,
        warnings=() if found is None else tuple(_warnings(found)),
        problem=problem,
    )


def _in_relative_coordinates(
    builder: Builder, start: object, values: object, guess: object, problem: str
) -> tuple[Finding | None, str]:
    """Return what is found in relative coordinates with no problem, or the problem if there is none either."""
    request = read_request(builder, RELATIVE)
    try:
        return _finding(request, Assembler(request.statement, values), start, guess), ""
    except StartError:
        return None, problem


def _finding(request: Request, assembler: Assembler, start: object, guess: object) -> Finding:
    """Return the rows at the assembled position and beside it; raise StartError if there is none."""
    q, numbers = assembler.assembled(start, guess), assembler.numbers
    twists, here = _rows_at(request.description, q, numbers)
    beside = [_rows_at(request.description, p, numbers)[1] for p in assembler.neighbours(q, twists.length)]
    return Finding(twists, here, min(beside, key=lambda each: each.freedom, default=None))


def _rows_at(description: Description, q: Array, numbers: Mapping[Any, float]) -> tuple[Twists, Dependence]:
    twists = Twists(MechanismState(description, NumberAlgebra(q.tolist(), numbers)))
    return twists, dependence_of(twists.parts(), twists.columns)


def _rows(request: Request) -> int:
    """Return the number of rows of all joints and elements.

    Rows of Euler parameters and of measured angles belong to coordinates and do not count.
    """
    description = request.description
    count = 0
    for joint in description.joints:
        kind = kind_of(joint)
        suffixes = (kind.planar_suffixes if description.planar else kind.spatial_suffixes) or ()
        euler = kind.euler and not description.planar
        count += (3 if description.planar else 6) - len(suffixes) + (1 if euler else 0)
    holding = {e.name for e in description.elements if e.kind in HOLDING}
    names = holding | {f"{name}_slip" for name in holding}
    return count + sum(len(c.expressions) for c in request.statement.constraints if c.name in names)


def _redundant(found: Finding | None, request: Request) -> tuple[tuple[Redundancy, ...], tuple[Proposal, ...]]:
    """Return the redundant rows with proposals, and the proposals together."""
    if found is None:
        return (), ()
    here, beside = found.here, found.beside
    always = set(here.redundant if beside is None else beside.redundant)
    proposals = proposals_for(here if beside is None else beside, _driven(request.description))
    texts = _assigned(here, [index for index in here.redundant if index in always], proposals)
    return tuple(
        Redundancy(
            joint=here.name(index),
            row=here.word(index),
            depends_on=here.partners(index),
            where="" if beside is None else ALWAYS if index in always else HERE,
            proposal=texts.get(index, ""),
        )
        for index in here.redundant
    ), proposals


def _assigned(here: Dependence, rows: Sequence[int], proposals: Sequence[Proposal]) -> dict[int, str]:
    """Return the proposal for each redundant row: that which frees the row itself, else what others remove."""
    left = {proposal: proposal.removes for proposal in proposals}
    texts: dict[int, str] = {}
    tests: tuple[Callable[[int, Proposal], bool], ...] = (
        lambda index, p: p.name == here.name(index) and here.word(index) not in p.holds,
        lambda index, p: p.name == here.name(index),
        lambda index, p: True,
    )
    for fits in tests:
        for index in rows:
            for proposal in proposals:
                if index not in texts and left[proposal] and fits(index, proposal):
                    texts[index] = proposal.change
                    left[proposal] -= 1
    return texts


def _driven(description: Description) -> frozenset[str]:
    """Return the joints whose coordinate an element needs: a motor, a spring, a gear."""
    named = {name for element in description.elements for name in element.joints}
    return frozenset(joint.name for joint in description.joints if named & {joint.name, *joint.coordinates})


def _warnings(found: Finding) -> Iterator[str]:
    """Yield sentences on what is unusual at the position."""
    here, beside = found.here, found.beside
    yield from without_inertia(found.twists, here.motions)
    if beside is not None and beside.freedom < here.freedom:
        yield (
            f"The rank drops at this position: the freedom is {here.freedom} here and {beside.freedom} beside it. "
            "Give another start to check the mechanism there."
        )
    if beside is None and here.freedom:
        yield (
            "Moved along its free directions the mechanism could not be assembled again: its freedom may be that of an "
            "infinitely small motion only."
        )
    if here.least < NEAR_LIMIT:
        yield (
            f"The position is nearly singular: the weakest row adds {here.least:.1e} of its length to the rank. "
            "Slightly different dimensions may change the numbers of this check."
        )
