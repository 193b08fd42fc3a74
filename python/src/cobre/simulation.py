"""Simulates a policy on workers that Python starts and the engine runs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

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
from .errors import InvalidArgument, InvalidPolicy, OutputExists
from .failure import failure_of
from .job import Account, Job, run_job
from .output import Output
from .policy import FILES, Doubles, policy_file
from .progress import Progress, listening
from .table import library
from .training_result import TrainingResult, Worker, list_workers


class SimulationResult:
    """The result of a simulation. Costs are in $.

    The tables of the scenarios are Parquet files in `output`, which is temporary unless the caller named one.
    """

    def __init__(self, output: Output, told: Mapping[str, Any], workers: list[Worker]) -> None:
        self._output = output
        #: The discounted cost of each scenario.
        self.costs: Doubles = np.array(told["costs"], dtype=np.float64)
        self.mean: float = told["mean"]
        self.std: float = told["std"]
        #: Half the width of the 95 % confidence interval of the mean; `None` for a single scenario, and for all paths.
        self.ci95: float | None = told["ci95"]
        probabilities = told.get("probabilities")
        #: How likely each scenario is, if they are all paths of a tree; the mean is then the cost of the policy. Else `None`.
        self.probabilities: Doubles | None = (
            None if probabilities is None else np.array(probabilities, dtype=np.float64)
        )
        #: Hash of every value of every table: equal hashes mean equal results.
        self.hash: str = told["hash"]
        #: In the order of their ranks.
        self.workers = workers

    @property
    def scenarios(self) -> int:
        """The number of scenarios."""
        return len(self.costs)

    @property
    def output(self) -> Path:
        """The directory with the files of the run."""
        return self._output.path

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables of scenarios."""
        folder = self.output / "simulation"
        parts = [*folder.rglob("scenarios_*.parquet"), *folder.rglob("scenario_id=*")]
        return tuple(sorted({part.parent.relative_to(folder).as_posix() for part in parts}))

    def table(self, name: str) -> Any:
        """A table of all scenarios as a ``pyarrow.Table``, with a column ``scenario_id``.

        >>> cobre.simulate(case, result).table("hydros").to_pandas()  # doctest: +SKIP
        """
        if name not in self.tables:
            known = ", ".join(self.tables)
            raise InvalidArgument(
                f"there is no table {name!r}; use one of {known}", argument="name"
            )
        return library("pyarrow.parquet").read_table(self.output / "simulation" / name)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Copies the files of the run to a new directory."""
        return self._output.copy_to(path)

    def close(self) -> None:
        """Removes the files of the run if they are in a temporary directory."""
        self._output.close()

    def __enter__(self) -> SimulationResult:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"SimulationResult(mean={self.mean!r}, scenarios={self.scenarios})"


def simulate(
    case: Case | str | os.PathLike[str] | Mapping[str, Any],
    policy: TrainingResult | str | os.PathLike[str],
    *,
    scenarios: int | None = None,
    num_workers: int = 1,
    backend: Backend | str = "auto",
    solver: Solver | str = "highs",
    config: Mapping[str, Any] | None = None,
    progress: Progress = None,
    output: str | os.PathLike[str] | None = None,
) -> SimulationResult:
    """Simulates a policy. The result has the same bits for any number of workers and any backend.

    :param policy: the result of `train`, or its output directory or policy file
    :param scenarios: the number of scenarios; the default is the number in the case
    :param output: where results go: an empty directory, or the output of the training

    All other parameters are those of `train`.

    >>> cobre.simulate(case, cobre.train(case), scenarios=100).mean  # doctest: +SKIP
    """
    num_workers = check_workers(num_workers)
    backend, solver = check_backend(backend, num_workers), check_solver(solver)
    ours: dict[str, Any] = {"training": {"enabled": False}, "simulation": {"enabled": True}}
    if scenarios is not None:
        ours["simulation"]["num_scenarios"] = scenarios
    settings = lay_over(check_config(config), ours)
    given = policy.output if isinstance(policy, TrainingResult) else Path(policy).resolve()
    place = Output(output)
    try:
        _bring_policy(policy_file(given), place)
        with case_path(case) as path, listening(progress) as listener:
            job = Job(path, place.path, num_workers, backend, solver, settings=settings)
            account = run_job(job, listener)
        return _result_of(account, place, num_workers)
    except BaseException as error:
        place.close_after(error)
        raise


def _bring_policy(file: Path, place: Output) -> None:
    """Copies the policy to the output directory, where the engine expects it."""
    target = place.path / FILES[0]
    if file == target:
        return
    if not file.is_file():
        raise InvalidPolicy(f"there is no policy in {file}; train first, or choose another path")
    refusal = OutputExists(
        f"{place.path} is not empty and not the output of this training; choose another directory",
        path=str(place.path),
    )
    if place.path.is_dir() and any(place.path.iterdir()):
        raise refusal
    try:
        target.parent.mkdir(parents=True)
    except FileExistsError:  # another process was faster
        raise refusal from None
    shutil.copyfile(file, target)


def _result_of(account: Account, place: Output, num_workers: int) -> SimulationResult:
    told = account.last("simulation_result")
    if account.is_interrupted:
        raise KeyboardInterrupt
    if account.exit_code != 0 or told is None:
        raise failure_of(account, num_workers)
    return SimulationResult(place, told, list_workers(account.workers))
