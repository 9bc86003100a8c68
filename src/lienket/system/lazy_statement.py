"""LazyStatement: the base of System that has a statement, or a model file whose statement is read when it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from ..foundation.frozen_dataclass import dataclass

if TYPE_CHECKING:
    from ..model.statement import Statement
    from .known_file import ModelText


@dataclass(frozen=True)
class SymbolNames:
    """Names of a system, its coordinates, parameters and inputs; parameters that have a number; aliases of LaTeX."""

    system: str
    coordinates: tuple[str, ...]
    parameters: tuple[str, ...]
    inputs: tuple[str, ...]
    numbered: frozenset[str]
    aliases: dict[str, str]


class LazyStatement:
    """Holder of a statement; `_file` is the model file that it was read from, or is read from later."""

    __slots__ = ("_file", "_stated")
    _stated: Statement | None
    _file: ModelText | None

    @classmethod
    def _of(cls, statement: Statement | None, file: ModelText | None) -> Self:
        """Return the system of a statement, or of a model file."""
        system = object.__new__(cls)
        object.__setattr__(system, "_stated", statement)
        object.__setattr__(system, "_file", file)
        return system

    @property
    def _statement(self) -> Statement:
        """Statement, read from the text of the model file if it has not been needed before."""
        if self._stated is None:
            assert self._file is not None  # noqa: S101  # for the type checker: a system has one or the other
            object.__setattr__(self, "_stated", self._file.statement())
        return self._stated  # type: ignore[return-value]

    @property
    def formulas_are_read(self) -> bool:
        """Whether the statement is there; False for a known model file of which only numbers have been asked for."""
        return self._stated is not None

    @property
    def symbol_names(self) -> SymbolNames:
        """Names of coordinates, parameters and inputs; formulas of a known model file are not read for them."""
        if self._stated is None and self._file is not None and self._file.known is not None:
            known = self._file.known
            numbered = [p for p, x in zip(known.parameters, known.numbers, strict=True) if x is not None]
            return SymbolNames(known.name, known.coordinates, known.parameters, (), frozenset(numbered), {})
        from ..language.symbols import name_of

        stated = self._statement
        return SymbolNames(
            stated.name,
            stated.names,
            tuple(p.name for p in stated.parameters),
            tuple(name_of(F) for F, _ in stated.inputs),
            frozenset(p.name for p, _ in stated.values if hasattr(p, "name")),
            stated.aliases,
        )

    @property
    def _closed(self) -> Statement:
        """Statement with its inputs replaced by what is stated for them."""
        from ..model.closed_inputs import closed

        return closed(self._statement)

    def _unsampled(self, question: str) -> Statement:
        """Return the closed statement for a question that sampled inputs cannot answer; raise an error for these."""
        from ..model.closed_inputs import closed_unsampled

        return closed_unsampled(self._statement, question)

    def _outputs(self, outputs: Any) -> Any:
        """Return outputs that a user states, with inputs replaced."""
        if not self._statement.inputs:
            return outputs
        from ..assembly.inputs import outputs_without_inputs

        return outputs_without_inputs(outputs, self._statement)

    def _numbers(self, values: Any) -> Any:
        """Return the values of parameters that a user states, without inputs among them."""
        if not self._statement.inputs:
            return values
        from ..model.input.inputs import parameter_values

        return parameter_values(self._statement, values)
