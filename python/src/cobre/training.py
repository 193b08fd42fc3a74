"""Trains a policy on workers that Python starts and the engine runs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from .arguments import (
    Backend,
    Solver,
    check_backend,
    check_config,
    check_solver,
    check_workers,
    lay_over,
)
from .case import Case, case_path
from .errors import InvalidArgument, TrainingInterrupted
from .failure import failure_of
from .job import Account, Job, run_job
from .output import Output
from .policy import has_policy
from .progress import Progress, listening
from .training_result import TrainingResult, list_workers

#: `simulate` simulates a policy.
ONLY_TRAINING = {"training": {"enabled": True}, "simulation": {"enabled": False}}


def train(
    case: Case | str | os.PathLike[str] | Mapping[str, Any],
    *,
    num_workers: int = 1,
    backend: Backend | str = "auto",
    solver: Solver | str = "highs",
    config: Mapping[str, Any] | None = None,
    progress: Progress = None,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
    allow_other_solver: bool = False,
    overwrite: bool = False,
) -> TrainingResult:
    """Trains a policy. The result has the same bits for any number of workers and any backend.

    Workers are processes on this machine; nothing is computed in the caller's process. Ctrl-C ends them after their current
    iteration and raises a `TrainingInterrupted` with what was trained so far.

    :param case: the result of `load`, a case directory, a case in one JSON file, or a mapping with the parts of a case
    :param num_workers: the number of processes; with one, `backend` does not matter
    :param backend: how workers communicate: "shm", "tcp", or "auto" for the best available
    :param solver: the solver of the linear programs: "highs" (HiGHS in WebAssembly), "highs-native" (the HiGHS of highspy, which is
        faster), "auto" (the faster one that is there), or "clp" where it is installed
    :param config: settings merged into the case's config.json: mappings are merged, None removes a setting
    :param progress: True for a progress bar, or a function that is called with each event
    :param output: where results go; by default a temporary directory that is removed with the result
    :param resume: continue the run in `output`, with the bits it would have had
    :param allow_other_solver: resume even a run that another solver has begun; the bits then differ
    :param overwrite: replace the results in `output`

    >>> result = cobre.train("examples/cases/fast", num_workers=2)  # doctest: +SKIP
    >>> result.lower_bound, [worker.rank for worker in result.workers]  # doctest: +SKIP
    """
    num_workers = check_workers(num_workers)
    if resume and output is None:
        raise InvalidArgument("resume needs the output of the run to continue", argument="resume")
    if resume and overwrite:
        raise InvalidArgument(
            "resume continues a run, overwrite replaces it; give only one of them",
            argument="resume",
        )
    backend, solver = check_backend(backend, num_workers), check_solver(solver)
    settings = lay_over(check_config(config), ONLY_TRAINING)
    flags = ("--resume",) if resume else ("--overwrite",) if overwrite else ()
    if resume and allow_other_solver:
        flags = (*flags, "--allow-other-solver")
    place = Output(output)
    try:
        with case_path(case) as path, listening(progress) as listener:
            job = Job(
                path, place.path, num_workers, backend, solver, settings=settings, flags=flags
            )
            account = run_job(job, listener)
        return _result_of(account, place, num_workers)
    except BaseException as error:
        place.close_after(error)
        raise


def _result_of(account: Account, place: Output, num_workers: int) -> TrainingResult:
    if account.exit_code != 0 and not account.is_interrupted:
        raise failure_of(account, num_workers)
    if not has_policy(place.path):
        raise TrainingInterrupted("interrupted before the first checkpoint", None)
    done = account.training
    result = TrainingResult(
        place,
        "interrupted" if done is None else done.termination,
        0.0 if done is None else done.elapsed_ms / 1000,
        list_workers(account.workers),
    )
    if account.is_interrupted:
        raise TrainingInterrupted(
            f"interrupted after iteration {result.iterations}; the checkpoint is in "
            f"{place.path}; continue with resume=True and that output",
            result,
        )
    return result
