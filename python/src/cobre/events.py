"""The events that a progress callback receives while the engine works.

Milliseconds and simplex iterations are those of worker 0; `lp_solves` counts the programs of all workers together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from .names import camel


@dataclass(frozen=True)
class Event:
    """Base class of all events."""

    #: The engine's name of the event.
    type: ClassVar[str]
    #: The worker that reports it.
    rank: int


@dataclass(frozen=True)
class WorkerStarted(Event):
    """A worker runs and is connected to the others."""

    type = "rank_started"
    pid: int
    backend: str


@dataclass(frozen=True)
class WorkerDone(Event):
    """A worker has finished."""

    type = "rank_done"
    backend: str
    #: Since its process started.
    wall_ms: float


@dataclass(frozen=True)
class RunStarted(Event):
    """The run begins: the largest number of iterations, `None` if there is no training or no limit, and the number of scenarios,
    `None` if there is no simulation."""

    type = "run_started"
    iteration_limit: int | None
    scenarios: int | None


@dataclass(frozen=True)
class TrainingStarted(Event):
    """Training begins, or resumes after an iteration."""

    type = "training_started"
    stages: int
    state_dimension: int
    forward_passes: int
    ranks: int
    solver: str
    after_iteration: int
    cuts: int


@dataclass(frozen=True)
class ForwardDone(Event):
    """The forward passes of an iteration are done."""

    type = "forward_done"
    iteration: int
    ms: float
    lp_solves: int


@dataclass(frozen=True)
class BackwardDone(Event):
    """The backward sweep of an iteration is done."""

    type = "backward_done"
    iteration: int
    ms: float
    lp_solves: int


@dataclass(frozen=True)
class BoundDone(Event):
    """The lower bound of an iteration is known, in $."""

    type = "bound_done"
    iteration: int
    ms: float
    lower_bound: float


@dataclass(frozen=True)
class IterationRecord:
    """The results of one iteration. Costs are in $."""

    iteration: int
    lower_bound: float
    #: The forward mean: the mean cost of the forward passes. It is a sample, not a bound.
    upper_bound_mean: float
    #: The standard deviation of the costs of the forward passes.
    upper_bound_std: float
    forward_passes: int
    cuts_added: int
    cuts_active: int
    lp_solves: int
    forward_ms: float
    backward_ms: float
    total_ms: float


@dataclass(frozen=True)
class IterationDone(Event):
    """An iteration has ended."""

    type = "iteration_done"
    record: IterationRecord
    elapsed_ms: float
    solving_ms: float
    moving_ms: float
    simplex_iterations: int


@dataclass(frozen=True)
class SimulationCompared(Event):
    """A simulation was made for a stopping rule; `distance` is the distance from the previous one."""

    type = "simulation_compared"
    iteration: int
    ms: float
    lp_solves: int
    distance: float | None


@dataclass(frozen=True)
class CheckpointWritten(Event):
    """The policy was written to disk."""

    type = "checkpoint_written"
    iteration: int
    ms: float


@dataclass(frozen=True)
class TrainingDone(Event):
    """Training has ended; `termination` says why."""

    type = "training_done"
    termination: str
    iterations: int
    elapsed_ms: float


@dataclass(frozen=True)
class SimulationStarted(Event):
    """Simulation begins."""

    type = "simulation_started"
    scenarios: int


@dataclass(frozen=True)
class ScenarioDone(Event):
    """`done` of worker 0's scenarios are done."""

    type = "scenario_done"
    done: int
    of: int


@dataclass(frozen=True)
class SimulationDone(Event):
    """All scenarios are done."""

    type = "simulation_done"
    scenarios: int
    ms: float


_BY_TYPE = {event.type: event for event in Event.__subclasses__()}


def read_event(told: Mapping[str, Any]) -> Event | None:
    """The event for a line from the engine; `None` if the line is not an event of a worker."""
    event = _BY_TYPE.get(told["type"])
    if event is None:
        return None
    facts: dict[str, Any] = {field.name: told.get(camel(field.name)) for field in fields(event)}
    if event is IterationDone:
        record = told["record"]
        names = (field.name for field in fields(IterationRecord))
        facts["record"] = IterationRecord(**{name: record[camel(name)] for name in names})
    return event(**facts)
