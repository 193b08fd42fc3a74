"""The same bits, however many workers there are and however they meet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cobre
from cobre.policy import policy_file, read_container
from scope import rest

WORKERS = [(2, "shm"), (3, "tcp"), rest(3, "shm"), rest(2, "tcp")]

Settings = Callable[..., dict[str, Any]]


def bits(result: cobre.TrainingResult) -> dict[str, bytes]:
    """Everything in a policy but times."""
    header, arrays = read_container(policy_file(result.output))
    found = {name: array.tobytes() for name, array in arrays.items() if name != "history"}
    for name, column in result.convergence.items():
        if not name.startswith("time_"):
            found[f"history/{name}"] = column.tobytes()
    return {**found, "header": repr(header).encode()}


@pytest.fixture(scope="module")
def alone(cases: Path, quick: Settings) -> Iterator[cobre.TrainingResult]:
    with cobre.train(cases / "one-reservoir", config=quick(6)) as result:
        yield result


@pytest.mark.parametrize(("num_workers", "backend"), WORKERS)
def test_as_one_worker(
    cases: Path, quick: Settings, alone: cobre.TrainingResult, num_workers: int, backend: str
) -> None:
    case = cases / "one-reservoir"
    result = cobre.train(case, num_workers=num_workers, backend=backend, config=quick(6))
    assert result.iterations == alone.iterations == 6
    assert result.lower_bound == alone.lower_bound
    assert bits(result) == bits(alone)
    for mine, other in zip(result.cuts, alone.cuts, strict=True):
        assert mine.intercepts.tobytes() == other.intercepts.tobytes()
        assert mine.coefficients.tobytes() == other.coefficients.tobytes()
    assert [worker.rank for worker in result.workers] == list(range(num_workers))
    assert {worker.backend for worker in result.workers} == {backend}
    assert all(worker.wall_seconds > 0 for worker in result.workers)


def test_one_worker_meets_nobody(
    cases: Path, quick: Settings, alone: cobre.TrainingResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COBRE_COMM_BACKEND", "shm")  # what is around Python does not matter
    backends: list[str] = []

    def listen(event: cobre.events.Event) -> None:
        if isinstance(event, cobre.events.WorkerStarted):
            backends.append(event.backend)

    for backend in ("tcp", "mpi"):
        result = cobre.train(
            cases / "one-reservoir", backend=backend, config=quick(6), progress=listen
        )
        assert [worker.backend for worker in result.workers] == ["local"]
        assert bits(result) == bits(alone)
    assert backends == ["local", "local"]


@pytest.mark.rest
def test_four_regions(cases: Path, quick: Settings) -> None:
    case = cobre.load(cases / "four-regions")
    one = cobre.train(case, config=quick(2, 4))
    two = cobre.train(case, num_workers=2, config=quick(2, 4))
    assert bits(one) == bits(two)
    assert [len(cuts) for cuts in two.cuts[:-1]] == [8] * 23
    simulations = [
        cobre.simulate(case, result, scenarios=5, num_workers=workers)
        for result, workers in ((one, 2), (two, 1))
    ]
    first, second = simulations
    assert first.hash == second.hash
    assert np.array_equal(first.costs, second.costs)
    assert (len(first.workers), len(second.workers)) == (2, 1)
