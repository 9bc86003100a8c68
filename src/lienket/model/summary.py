"""Text summary of a statement, as a system prints itself."""

from __future__ import annotations

from ..language.expression import Expression
from ..language.input_functions import InputValue, Sampled
from ..language.printing.text import plain
from ..language.short_text import short_text
from .bodies.summary import mechanism_lines
from .constraint import Constraint
from .event import StatedEvent
from .statement import Statement


def overview(statement: Statement) -> str:
    """Return the energies, forces, constraints, events and values, each on a separate line."""
    free = statement.free
    names = ", ".join(plain(x) for x in statement.coordinates)
    lines = [f"System {statement.name!r} {f'in {names}' if names else 'without coordinates'}"]
    held = [constraint.name for constraint in statement.constraints]
    lines += _energies(statement) if free.mechanism is None else mechanism_lines(free.mechanism, held)
    for load in free.loads:
        pairs = [", ".join(map(_brief, vector)) for vector in (load.components, load.at)]
        lines.append(f"  force {load.name + ' ' if load.name else ''}({pairs[0]}) at ({pairs[1]})")
    for constraint in statement.constraints:
        lines.append(f"  {constraint.name}: {_rows(constraint)}  ({constraint.kind}{_law_or_drives(constraint)})")
    lines += [f"  input {plain(F)}{_stated(e)}" for F, e in statement.inputs]
    lines += [f"  event {event.name}: {_event(event)}" for event in statement.events]
    values = [f"{plain(s)} = {plain(v)}" for s, v in statement.values]
    values += [f"{name} = {plain(v)} (not used yet)" for table, name, v in statement.later if table == "values"]
    if values:
        lines.append("  with " + ", ".join(values))
    return "\n".join(lines)


def _energies(statement: Statement) -> list[str]:
    """Return the energies and generalized forces."""
    free = statement.free
    energy = ("T", free.kinetic) if free.inertia is None else ("A", free.inertia.tolist())
    stated = [energy, ("V", free.potential), ("R", free.dissipation)]
    stated += [(f"Q[{plain(x)}]", e) for x, e in zip(statement.coordinates, free.forces, strict=True)]
    return [f"  {label} = {_brief(e)}" for label, e in stated if e != 0]


def _rows(constraint: Constraint) -> str:
    """Return the rows of a constraint; of one that a joint or element has made their number."""
    count = len(constraint.expressions)
    if constraint.of_mechanism:
        return f"{count} row{'s' if count > 1 else ''} of the mechanism"
    return ", ".join(f"{_brief(e)} = 0" for e in constraint.expressions)


def _stated(e: InputValue) -> str:
    """Return what is stated for an input, or an empty text."""
    if e is None:
        return ""
    if isinstance(e, Sampled):
        return f" = a function called every {e.every:g}"
    return f" = {e:g}" if isinstance(e, float) else f" = {_brief(e)}"


def _law_or_drives(constraint: Constraint) -> str:
    """Return the law of a constraint, or the drives of a program with weights, bounds and feedback."""
    if constraint.law is not None:
        return f"; {short_text(constraint.law.description)}"
    names, following = [name for name, _ in constraint.drives], constraint.following
    phrases = [f"by {', '.join(names)}"] if names else []
    weights = [f"{name} {_brief(w)}" for name, w in zip(names, following.weights, strict=False)]
    phrases += [f"weights {', '.join(weights)}"] if weights else []
    for name, (least, most) in zip(names, following.bounds, strict=False):
        if least is not None or most is not None:
            left, right = ("..." if e is None else _brief(e) for e in (least, most))
            phrases.append(f"{name} from {left} to {right}")
    phrases += [f"feedback {', '.join(map(_brief, following.gains))}"] if following.gains is not None else []
    return "".join(f"; {part}" for part in phrases)


def _event(event: StatedEvent) -> str:
    """Return the condition of an event and its actions."""
    passes = {-1: "falls to", 0: "passes", 1: "rises to"}[event.direction]
    actions = [f"release {name}" for name in event.release]
    actions += [f"{plain(x)} = {_brief(e)}" for x, e in event.sets]
    actions += [f"{plain(x)}' = {_brief(e)}" for x, e in event.jumps]
    actions += [f"add {name}" for name in event.add] + (["a function"] if event.do else [])
    actions += ["end"] if event.terminal else []
    return f"{_brief(event.condition)} {passes} 0" + (f": {', '.join(actions)}" if actions else "")


def _brief(e: Expression | list[Expression]) -> str:
    """Return an expression, or a list of them, as shortened text."""
    if isinstance(e, list):
        return short_text("[" + ", ".join(_brief(x) for x in e) + "]")
    return short_text(plain(e))
