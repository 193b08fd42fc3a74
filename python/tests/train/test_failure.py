"""Whose fault it was, from what was told: without processes, so that every order of events is seen."""

from __future__ import annotations

from typing import Any

import pytest

import cobre
from cobre.failure import failure_of
from cobre.job import Account

LOST = {"name": "CommError", "kind": "CollectiveFailed", "message": "lost", "operation": "barrier"}
SOLVER = {"name": "SolverError", "kind": "SubproblemFailed", "message": "no", "solver": "highs"}


def told(rank: int, error: dict[str, Any]) -> dict[str, Any]:
    return {"type": "error", "rank": rank, "error": error, "code": 1}


def lost(rank: int, missing: list[int]) -> dict[str, Any]:
    return told(rank, {**LOST, "rank": rank, "backend": "shm", "missingRanks": missing})


def account(errors: list[dict[str, Any]], ends: list[tuple[int | None, str | None]]) -> Account:
    ranks = [
        {"rank": rank, "pid": 1, "code": code, "signal": signal}
        for rank, (code, signal) in enumerate(ends)
    ]
    job = {"type": "job_done", "rank": None, "code": 1, "firstFailure": 0, "ranks": ranks}
    return Account(exit_code=1, lines={"error": [*errors], "job_done": [job]})


@pytest.mark.parametrize(
    ("errors", "ends", "rank", "exit_code", "signal"),
    [
        # Rank 1 tells why; rank 0 has only lost it, whoever speaks first.
        ([lost(0, [1]), told(1, SOLVER)], [(1, None), (1, None)], 1, 1, None),
        ([told(1, SOLVER), lost(0, [1])], [(1, None), (1, None)], 1, 1, None),
        # Both fail; the first is asked to end before it has exited.
        ([told(0, SOLVER), told(1, SOLVER)], [(None, "SIGTERM"), (1, None)], 0, 1, None),
        # Rank 1 is killed and says nothing.
        ([lost(0, [1])], [(1, None), (None, "SIGKILL")], 1, None, "SIGKILL"),
        # Nobody says anything: the launcher knows who was first.
        ([], [(7, None), (None, "SIGTERM")], 0, 7, None),
    ],
)
def test_culprit(
    errors: list[dict[str, Any]],
    ends: list[tuple[int | None, str | None]],
    rank: int,
    exit_code: int | None,
    signal: str | None,
) -> None:
    error = failure_of(account(errors, ends), 2)
    assert isinstance(error, cobre.WorkerError)
    assert (error.rank, error.exit_code, error.signal) == (rank, exit_code, signal)


def test_kinds_that_are_nobodys_fault() -> None:
    wrong = told(0, {"name": "OutputError", "kind": "OutputExists", "message": "x", "path": "p"})
    error = failure_of(account([wrong], [(4, None), (4, None)]), 2)
    assert isinstance(error, cobre.OutputExists) and error.path == "p"
    unknown = told(0, {"name": "SolverError", "kind": "New", "message": "x", "solver": "highs"})
    error = failure_of(account([unknown], [(1, None)]), 1)
    assert type(error) is cobre.SolverError and error.solver == "highs"
