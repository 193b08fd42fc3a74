"""The result of training."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from .events import WorkerDone
from .output import Output
from .policy import Cuts, Policy, read_policy
from .table import Table


@dataclass(frozen=True)
class Worker:
    """A worker that has finished."""

    rank: int
    #: How it communicated: "shm" or "tcp"; "local" for a single worker.
    backend: str
    #: Since its process started.
    wall_seconds: float


class TrainingResult:
    """The result of training. Everything except the files in `output` is in memory.

    If the caller gave no ``output``, the directory is temporary: it is removed when the result is closed or garbage-collected.
    :meth:`save` keeps a copy.

    >>> with cobre.train("examples/cases/fast") as result:  # doctest: +SKIP
    ...     print(result.lower_bound, result.iterations)
    """

    def __init__(
        self, output: Output, termination: str, seconds: float, workers: list[Worker]
    ) -> None:
        self._output = output
        #: Read when training ended; later changes of the files do not matter.
        self.policy: Policy = read_policy(output.path)
        #: The type of the stopping rule that ended training, such as "iteration_limit", or "interrupted".
        self.termination = termination
        #: The time of training, without starting and ending the workers.
        self.seconds = seconds
        #: Those that reached the end, in the order of their ranks.
        self.workers = workers

    @property
    def output(self) -> Path:
        """The directory with the files of the run."""
        return self._output.path

    @property
    def iterations(self) -> int:
        """The number of iterations of the policy, including those before it was resumed."""
        return self.policy.iterations

    @property
    def lower_bound(self) -> float:
        """The lower bound, in $."""
        return self.policy.lower_bound

    @property
    def convergence(self) -> Table:
        """A row for each iteration: the lower bound and the forward mean (``upper_bound_mean``) in $, cuts, programs solved, milliseconds.

        The forward mean is the mean cost of the forward passes: a sample, not a bound.
        """
        return self.policy.convergence

    @property
    def cuts(self) -> tuple[Cuts, ...]:
        """The cuts of each stage."""
        return self.policy.cuts

    @cached_property
    def is_complete(self) -> bool:
        """Whether training ended by a stopping rule and was not interrupted."""
        return self.termination != "interrupted"

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Copies the files of the run to a new directory."""
        return self._output.copy_to(path)

    def close(self) -> None:
        """Removes the files of the run if they are in a temporary directory."""
        self._output.close()

    def __enter__(self) -> TrainingResult:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return (
            f"TrainingResult(iterations={self.iterations}, lower_bound={self.lower_bound!r}, "
            f"termination={self.termination!r}, workers={len(self.workers)})"
        )


def list_workers(told: Sequence[WorkerDone]) -> list[Worker]:
    """The workers of a run by rank."""
    done = sorted(told, key=lambda worker: worker.rank)
    return [Worker(worker.rank, worker.backend, worker.wall_ms / 1000) for worker in done]
