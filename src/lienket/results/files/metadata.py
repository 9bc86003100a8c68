"""Metadata of a trajectory file as JSON: the model, and the settings, phases and statistics of the run."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ...mechanism.file import checked_text
from ...model.closed_inputs import closed, without_sampled
from ...model.contacts import with_contact_modes
from ...model.file import write_outputs
from ...model.file.typed_toml import fit
from ...model.model_text import FILE_SIZE_LIMIT
from ...model.statement import Statement
from ...simulation.methods import METHODS
from ...simulation.outcome import Outcome
from ...simulation.run.result import Phase, RankEvent, Run, Statistics
from ...version import __version__
from .history_metadata import HistoryMetadata, history_metadata
from .start_metadata import StartMetadata, start_metadata

FORMAT = 1  # version of the file format: written, and the only one read


@dataclass(frozen=True)
class EndMetadata:
    """End of a run: a sentence, the reason in a word, the time."""

    sentence: str
    reason: str
    time: float


@dataclass(frozen=True)
class TableMetadata:
    """Table that only outputs use."""

    x: list[float]
    y: list[float]
    kind: str
    outside: str


@dataclass(frozen=True)
class TrajectoryMetadata:
    """Content of a trajectory file except the arrays.

    model          system as the text of a model file; None if it has no text form, for the reason in `without_model`
    parameters     parameter values of the run by name, in the order of the parameters
    atol           2 n numbers, positions before velocities; `largest` is None for steps of any length
    outputs        formula of each output, None if it has no text form
    work, steps    names of two columns in tables; in archives the arrays have these names
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
    history: HistoryMetadata | None = None
    start: StartMetadata | None = None


def metadata_of(statement: Statement, run: Run, work: str, steps: str, part: str | None = None) -> TrajectoryMetadata:
    """Return the metadata of a run of a system; `work`, `steps` and `part` are the names of columns."""
    settings, outcome, problem = run.settings, run.outcome, run.problem
    statement = without_sampled(statement)
    machine = with_contact_modes(closed(statement))
    model, why = None, ""
    try:
        model = checked_text(statement)
    except LienketError as error:
        why = "; ".join(f"{f.where}: {f.what}" if f.where else f.what for f in getattr(error, "faults", ()))
    outputs, tables = write_outputs(problem.model.stated_outputs, closed(statement))
    return TrajectoryMetadata(
        format=FORMAT,
        lienket=__version__,
        system=statement.name,
        model=model,
        without_model=why,
        coordinates=list(problem.names),
        parameters={p.name: float(x) for p, x in zip(machine.parameters, problem.parameters, strict=True)},
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
        history=None if run.history is None else history_metadata(run.history),
        start=start_metadata(run.start),
    )


def metadata_text(metadata: TrajectoryMetadata) -> str:
    """Return the metadata as JSON; numbers keep every bit, infinity and NaN are written as Python's json does."""

    def table(part: Any) -> dict[str, Any]:
        """Return the fields of a record by name."""
        return {f.name: getattr(part, f.name) for f in fields(part)}

    return json.dumps(metadata, default=table, ensure_ascii=False, separators=(",", ":"))


def read_metadata(text: str | bytes) -> TrajectoryMetadata:
    """Return the metadata in a JSON text; raise ValueError if it is invalid. Fields of later versions are ignored."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    _check_format(data)
    metadata, misfits = fit(data, TrajectoryMetadata, ignore_unknown=True)
    if misfits:
        names = dict.fromkeys(".".join(map(str, misfit.path)) for misfit in misfits)
        raise ValueError(f"fields of its metadata are wrong or missing: {', '.join(names)}")
    n = len(metadata.coordinates)
    unknown = [p.method for p in metadata.phases if p.method not in METHODS]
    for wrong, message in (
        (unknown, f"this package has no method {''.join(unknown[:1])!r}"),
        (len(metadata.atol) != 2 * n, f"atol has {len(metadata.atol)} numbers for {n} coordinates"),
        (
            not (metadata.rtol > 0 and metadata.step >= 0 and all(x > 0 for x in metadata.atol)),
            "its tolerances are not positive, or its step is negative",
        ),
        (len(set(metadata.coordinates)) != n or n == 0, "the names of its coordinates are missing or not unique"),
        (metadata.statistics.every < 1, "statistics.every is less than 1"),
        (len(metadata.model or "") > FILE_SIZE_LIMIT, "its model is too large"),
    ):
        if wrong:
            raise ValueError(message)
    return metadata


def _check_format(data: object) -> None:
    """Raise ValueError unless the data are metadata of a trajectory in the format read here."""
    version = data.get("format") if isinstance(data, dict) else None
    if type(version) is not int:
        raise ValueError("its metadata are not those of a trajectory")
    if version != FORMAT:
        raise ValueError(
            f"it is in version {version} of the format, this package reads version {FORMAT}; update lienket"
        )


def outcome_of(metadata: TrajectoryMetadata) -> Outcome:
    """Return the outcome of the run, with a sentence on outputs whose formulas the file does not have."""
    end = metadata.outcome
    outcome = Outcome(end.sentence, end.reason, end.time)
    without_formula = [repr(name) for name, formula in metadata.outputs.items() if formula is None]
    if without_formula:
        outcome = outcome.adding(f"The file has the numbers but not the formula of {', '.join(without_formula)}.")
    return outcome


def tables_of(metadata: TrajectoryMetadata) -> dict[str, dict[str, Any]]:
    """Return the tables that only outputs use, by name."""
    return {name: vars(points) for name, points in metadata.tables.items()}
