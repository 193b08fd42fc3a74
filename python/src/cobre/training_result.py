"""What training has made."""

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
    """A worker that has done its part."""

    rank: int
    #: How it met the others: "shm" or "tcp".
    backend: str
    #: Since its process began.
    wall_seconds: float


class TrainingResult:
    """What training has made. Everything but files in `output` is in memory.

    Without an ``output`` of the caller, the directory is temporary: it is removed when the result is closed, or no longer referred
    to. :meth:`save` keeps a copy.

    >>> with cobre.train("examples/cases/fast") as result:  # doctest: +SKIP
    ...     print(result.lower_bound, result.iterations)
    """

    def __init__(
        self, output: Output, termination: str, seconds: float, workers: list[Worker] | None
    ) -> None:
        self._output = output
        #: Read when training has ended; what is done to the files later does not matter.
        self.policy: Policy = read_policy(output.path)
        #: "iteration_limit", "time_limit", "bound_stalling", "simulation" or "interrupted".
        self.termination = termination
        #: What training took, without starting and ending the workers.
        self.seconds = seconds
        #: In the order of their ranks; `None` if there was one.
        self.workers = workers

    @property
    def output(self) -> Path:
        """The directory with the files of the run."""
        return self._output.path

    @property
    def iterations(self) -> int:
        """How many iterations the policy has seen, those before it was resumed included."""
        return self.policy.iterations

    @property
    def lower_bound(self) -> float:
        """In $."""
        return self.policy.lower_bound

    @property
    def convergence(self) -> Table:
        """A row for each iteration: bounds in $, cuts, programs solved, milliseconds."""
        return self.policy.convergence

    @property
    def cuts(self) -> tuple[Cuts, ...]:
        """The cuts of each stage."""
        return self.policy.cuts

    @cached_property
    def is_complete(self) -> bool:
        """Whether training came to its own end."""
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
        who = "" if self.workers is None else f", workers={len(self.workers)}"
        return (
            f"TrainingResult(iterations={self.iterations}, lower_bound={self.lower_bound!r}, "
            f"termination={self.termination!r}{who})"
        )


def list_workers(told: Sequence[WorkerDone], num_workers: int) -> list[Worker] | None:
    """The workers of a run by rank; one alone is not worth a list."""
    if num_workers == 1:
        return None
    done = sorted(told, key=lambda worker: worker.rank)
    return [Worker(worker.rank, worker.backend, worker.wall_ms / 1000) for worker in done]
