"""RunRequest: what was asked of a run, checked, in numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..compiled.model import CompiledModel
from ..foundation.arrays import Array
from ..foundation.frozen_dataclass import dataclass
from ..model.input.stated_start import StatedStart
from .problem import Problem
from .settings import Settings
from .start.start import Start


@dataclass(frozen=True, eq=False)
class RunRequest:
    """Run from `begin` to `end` with numbers (p) of the parameters.

    It starts at the consistent state nearest to `start`, or at `solved` if that is such a state already. Rows are at
    `times`, or at steps if that is None. More than `chattering` events in a short time end it. `outputs` are (name,
    expression) of the user's outputs, None if there are none. `progress` is a function of the time, True or False for
    a bar or none, or None for a bar in a terminal. `problem` and the model of its start are None where contacts or
    programs decide at the start which constraints act.
    """

    parameters: Array
    start: StatedStart
    solved: Start | None
    begin: float
    end: float
    times: Array | None
    settings: Settings
    chattering: int = 100
    outputs: tuple[tuple[str, Any], ...] | None = None
    progress: Callable[[float], Any] | bool | None = None
    problem: Problem | None = None
    start_model: CompiledModel | None = None
