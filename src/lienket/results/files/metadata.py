"""Facts: what a file of a trajectory says beside its numbers, as JSON: the model, and how the run was made."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ...model.contacts import with_contact_modes
from ...model.file import FILE_SIZE_LIMIT, write_outputs
from ...model.file.typed_toml import fit
from ...model.file.writing import checked_text
from ...model.statement import Statement
from ...simulation.methods import METHODS
from ...simulation.outcome import Outcome
from ...simulation.run.result import Phase, RankEvent, Run, Statistics
from ...version import __version__
from .history_metadata import HistoryFacts, history_facts

FORMAT = 1
"""The version of the files written, and the only one read."""


@dataclass(frozen=True)
class EndMetadata:
    """How a run ended: a sentence, the reason in a word, the time."""

    sentence: str
    reason: str
    time: float


@dataclass(frozen=True)
class TableMetadata:
    """A table that only outputs use."""

    x: list[float]
    y: list[float]
    kind: str
    outside: str


@dataclass(frozen=True)
class TrajectoryMetadata:
    """Everything but the arrays.

    model          the system as the text of a model file; None if a file cannot hold it, `without_model` says why
    parameters     the numbers of the run by name, in the order of the parameters
    atol           2 n numbers, positions before velocities; `largest` is None for steps of any length
    outputs        the formula of each output, None where the language of formulas has none
    work, steps    the names of two columns in tables; arrays have these names anyway
    """

    format: int
    lienket: str
    system: str
    model: str | None
    without_model: str
    coordinates: list[str]
    parameters: dict[str, float]
    rows: int
    method: str
    rtol: float
    atol: list[float]
    step: float
    largest: float | None
    most_rows: int
    phases: tuple[Phase, ...]
    rank_events: tuple[RankEvent, ...]
    statistics: Statistics
    worst: tuple[float, float]
    usual: tuple[int, float]
    outcome: EndMetadata
    outputs: dict[str, str | None]
    tables: dict[str, TableMetadata]
    work: str
    steps: str
    part: str | None = None
    history: HistoryFacts | None = None


def facts_of(statement: Statement, run: Run, work: str, steps: str, part: str | None = None) -> TrajectoryMetadata:
    """The facts of a run of the system stated; `work`, `steps` and `part` are the names of columns."""
    settings, outcome, problem = run.settings, run.outcome, run.problem
    model, why = None, ""
    try:
        model = checked_text(statement)
    except LienketError as error:
        why = "; ".join(f"{f.where}: {f.what}" if f.where else f.what for f in getattr(error, "faults", ()))
    outputs, tables = write_outputs(problem.model.stated_outputs, statement)
    return TrajectoryMetadata(
        format=FORMAT,
        lienket=__version__,
        system=statement.name,
        model=model,
        without_model=why,
        coordinates=list(problem.names),
        parameters={
            p.name: float(x) for p, x in zip(with_contact_modes(statement).parameters, problem.parameters, strict=True)
        },
        rows=len(run.t),
        method=settings.method,
        rtol=settings.rtol,
        atol=[float(x) for x in settings.atol],
        step=settings.step,
        largest=None if settings.largest == float("inf") else settings.largest,
        most_rows=settings.most_rows,
        phases=run.phases,
        rank_events=run.rank_events,
        statistics=run.statistics,
        worst=run.worst,
        usual=run.usual,
        outcome=EndMetadata(sentence=str(outcome), reason=outcome.reason, time=outcome.time),
        outputs=outputs,
        tables={name: TableMetadata(**points) for name, points in tables.items()},
        work=work,
        steps=steps,
        part=part,
        history=None if run.history is None else history_facts(run.history),
    )


def facts_text(facts: TrajectoryMetadata) -> str:
    """The facts as JSON; numbers keep every bit, infinity and nan have the names that Python's JSON gives them."""

    def table(part: Any) -> dict[str, Any]:
        return {f.name: getattr(part, f.name) for f in fields(part)}

    return json.dumps(facts, default=table, ensure_ascii=False, separators=(",", ":"))


def read_facts(text: str | bytes) -> TrajectoryMetadata:
    """The facts in a JSON text; raises ValueError with what is wrong in words. What a later package adds is ignored."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    _check_format(data)
    facts, misfits = fit(data, TrajectoryMetadata, ignore_unknown=True)
    if misfits:
        places = dict.fromkeys(".".join(map(str, misfit.path)) for misfit in misfits)
        raise ValueError(f"its facts are wrong or missing: {', '.join(places)}")
    n = len(facts.coordinates)
    unknown = [p.method for p in facts.phases if p.method not in METHODS]
    for wrong, what in (
        (unknown, f"this package has no method {''.join(unknown[:1])!r}"),
        (len(facts.atol) != 2 * n, f"atol has {len(facts.atol)} numbers for {n} coordinates"),
        (not (facts.rtol > 0 and facts.step >= 0 and all(x > 0 for x in facts.atol)), "its tolerances are wrong"),
        (len(set(facts.coordinates)) != n or n == 0, "its coordinates are not told apart"),
        (facts.statistics.every < 1, "statistics.every is less than 1"),
        (len(facts.model or "") > FILE_SIZE_LIMIT, "its model is too large"),
    ):
        if wrong:
            raise ValueError(what)
    return facts


def _check_format(data: Any) -> None:
    found = data.get("format") if isinstance(data, dict) else None
    if type(found) is not int:
        raise ValueError("its facts are no facts of a trajectory")
    if found != FORMAT:
        raise ValueError(f"it is in version {found} of the format, this package reads version {FORMAT}; update lienket")


def outcome_of(facts: TrajectoryMetadata) -> Outcome:
    """The outcome of the run; it mentions the outputs that the file has in numbers only."""
    end = facts.outcome
    found = Outcome(end.sentence, end.reason, end.time)
    lost = [repr(name) for name, formula in facts.outputs.items() if formula is None]
    if lost:
        found = found.adding(f"Of the output {', '.join(lost)} the file has numbers but no formula.")
    return found


def tables_of(facts: TrajectoryMetadata) -> dict[str, dict[str, Any]]:
    """The tables that only outputs use, by name."""
    return {name: vars(points) for name, points in facts.tables.items()}
