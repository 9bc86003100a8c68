"""Machine code of a statement, compiled once for equal statements."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..compiled.model import CodeRecord, CompiledModel
from ..foundation.frozen_dataclass import dataclass
from ..model.constraint import Constraint
from ..model.statement import FreeStatement, Statement
from .numeric_system import Key, Outputs

MODELS_CACHED = 256  # [models] compiled models cached by what they are made of


def compiled_model(
    free: FreeStatement, constraints: tuple[Constraint, ...], parameters: tuple[Any, ...], outputs: Outputs = ()
) -> CompiledModel:
    """Return the machine code of a system; each function is compiled when it is first needed."""
    return _compiled_model(free, constraints, parameters, outputs)  # positional: one key with and without outputs


@lru_cache(maxsize=MODELS_CACHED)
def _compiled_model(
    free: FreeStatement, constraints: tuple[Constraint, ...], parameters: tuple[Any, ...], outputs: Outputs
) -> CompiledModel:
    return CompiledModel(free, constraints, parameters, dict(outputs))


@dataclass(frozen=True, eq=False)
class StatedCode:
    """Machine code of a statement; `machine` is the statement without inputs, with contact modes and hidden programs.

    `purposes` are the outputs of each purpose. `met` are the models that have been asked for, by active constraints and
    purpose.
    """

    user_statement: Statement
    machine: Statement
    purposes: dict[str, Outputs]
    met: dict[Key, CompiledModel]

    def model(self, active: tuple[int, ...], purpose: str | Outputs) -> CompiledModel:
        """Return the machine code under active constraints, with outputs for a purpose or with these expressions."""
        if isinstance(purpose, str) and (active, purpose) in self.met:
            return self.met[active, purpose]
        every = self.machine.every_constraint
        outputs = self.purposes[purpose] if isinstance(purpose, str) else purpose
        chosen = tuple(every[k] for k in active)
        model = compiled_model(self.machine.free, chosen, self.machine.parameters, outputs)
        return self.met.setdefault((active, purpose), model) if isinstance(purpose, str) else model

    def records(self) -> dict[Key, CodeRecord]:
        """Return what finds the code again that has been asked for, except code that calls Python functions."""
        records = {key: model.record for key, model in self.met.items()}
        return {key: record for key, record in records.items() if record is not None}

    def count(self) -> int:
        """Return the number of models that have been asked for."""
        return len(self.met)

    def statement(self) -> Statement:
        """Return the statement without inputs, with contact modes and hidden programs."""
        return self.machine

    def stated(self) -> Statement:
        """Return the statement as the user made it."""
        return self.user_statement
