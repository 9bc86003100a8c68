"""Record of a NumericSystem: what a later process needs to compute with a model file without its formulas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any

from ..compiled.constraint_facts import ConstraintFacts, ContactFacts
from ..compiled.model import CodeRecord, CompiledModel
from ..errors import LienketError
from ..foundation.frozen_dataclass import dataclass
from ..model.input.symbol_table import SymbolTable
from ..simulation.contacts.contact_kinds import ContactIndices
from ..simulation.known_times.time_function import TimeFunction
from .numeric_system import Codes, Key, NumericEvent, NumericSystem, Outputs

if TYPE_CHECKING:
    from ..model.statement import Statement


@dataclass(frozen=True, eq=False)
class RecordedCode:
    """Machine code that earlier processes have made, by active constraints and purpose.

    `read` returns the system from its statement, for code that is not in the record and for formulas. `models` are
    those that have been asked for.
    """

    codes: Codes
    size: tuple[int, int]
    constraints: tuple[ConstraintFacts, ...]
    read: Callable[[], NumericSystem]
    models: dict[Key, CompiledModel]

    def model(self, active: tuple[int, ...], purpose: str | Outputs) -> CompiledModel:
        """Return the machine code under active constraints, with outputs for a purpose or with these expressions."""
        if not isinstance(purpose, str) or (active, purpose) not in self.codes:
            return self.read().model(active, purpose)
        key = (active, purpose)
        if key not in self.models:
            chosen = [self.constraints[k] for k in active]
            model = CompiledModel.recorded(*self.size, chosen, self.codes[key], lambda: self._definition(key))
            self.models.setdefault(key, model)
        return self.models[key]

    def records(self) -> Codes:
        """Return the recorded code."""
        return self.codes

    def count(self) -> int:
        """Return the number of models that have been asked for."""
        return len(self.models)

    def statement(self) -> Statement:
        """Return the statement without inputs, with contact modes and hidden programs."""
        return self.read().code.statement()

    def stated(self) -> Statement:
        """Return the statement as the user made it."""
        return self.read().code.stated()

    def _definition(self, key: Key) -> Any:
        """Return the definition of a model from the statement; LienketError if the record is that of another."""
        model = self.read().model(*key)
        described = {c.name: c for c in (*model.constraints, *model.followed)}
        recorded = {self.constraints[k].name: self.constraints[k] for k in key[0]}
        size, digest = (model.n, model.parameters), model.digest
        if (size, digest, described) != (self.size, self.codes[key].digest, recorded):
            raise LienketError(
                "The record of this model file in the cache does not fit the file. Delete the folder `files` of the "
                "cache directory."
            )
        return model.definition


def recordable(system: NumericSystem) -> bool:
    """Return whether a system can be described without formulas: no functions of the user, no faulty numbers."""
    numbers = (x is None or type(x) is float for x in system.symbols.defaults)
    functions = any(event.do is not None for event in system.events)
    return not (functions or system.sampled or system.symbols.unused) and system.symbols.sound and all(numbers)


def to_json(system: NumericSystem, codes: Codes) -> dict[str, Any]:
    """Return a system and its machine code as data that JSON can hold."""
    parts = {f.name: getattr(system, f.name) for f in fields(system) if f.name not in ("code", "sampled")}
    data = {name: _plain(part) for name, part in parts.items()}
    data["events"] = [{k: x for k, x in _plain(event).items() if k != "do"} for event in system.events]
    return data | {"codes": [[list(active), purpose, asdict(code)] for (active, purpose), code in codes.items()]}


def from_json(data: dict[str, Any], read: Callable[[], NumericSystem]) -> tuple[NumericSystem, Codes]:
    """Return the system of such data and its codes; raises KeyError, TypeError or ValueError for any other data."""
    rest = dict(data)
    codes = {(tuple(active), purpose): CodeRecord(**_tuples(entry)) for active, purpose, entry in rest.pop("codes")}
    constraints = tuple(_constraint(entry) for entry in rest.pop("constraints"))
    symbols = SymbolTable(**_tuples(rest.pop("symbols")))
    size = (len(symbols.coordinates), len(symbols.parameters))
    system = NumericSystem(
        symbols=symbols,
        constraints=constraints,
        contacts=tuple(ContactIndices(**entry) for entry in rest.pop("contacts")),
        events=tuple(NumericEvent(**_tuples(entry)) for entry in rest.pop("events")),
        time_functions=tuple(TimeFunction(**_tuples(entry)) for entry in rest.pop("time_functions")),
        momenta=tuple(TimeFunction(**_tuples(entry)) for entry in rest.pop("momenta")),
        sampled=(),
        code=RecordedCode(codes, size, constraints, read, {}),
        **_tuples(rest),
    )
    return system, codes


def _constraint(entry: dict[str, Any]) -> ConstraintFacts:
    """Return the facts of a constraint from data."""
    facts = ConstraintFacts(**_tuples(entry))
    return facts if facts.contact is None else replace(facts, contact=ContactFacts(**entry["contact"]))


def _plain(part: Any) -> Any:
    """Return a part of a system as data: frozen classes as mappings, tuples of them as lists."""
    if isinstance(part, tuple):
        return [_plain(entry) for entry in part]
    return asdict(part) if hasattr(part, "__dataclass_fields__") else part


def _tuples(entry: Any) -> Any:
    """Return data with lists turned into tuples, as the frozen classes have them."""
    if isinstance(entry, dict):
        return {key: _tuples(value) if isinstance(value, list) else value for key, value in entry.items()}
    return tuple(_tuples(value) if isinstance(value, list) else value for value in entry)
