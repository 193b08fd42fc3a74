"""Calls with several mistakes: which of them is told, in the order of the contract (communicator.ts)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from case import Case

from cobre.comm import Communicator
from cobre.comm.errors import CommError, InvalidCommunicator


def f64(length: int) -> Any:
    return np.zeros(length)


def but_last(values: list[Any], last: Any) -> list[Any]:
    """The list with another value for the last rank."""
    return [*values[:-1], last]


def overlapping() -> tuple[Any, Any]:
    whole = f64(8)
    return whole[0:4], whole[3:]


#: What is wrong with a call, the call, what is told, and with how many ranks it can be had.
Contest = tuple[
    str,
    Callable[[Communicator, int], Any],
    Callable[[int], dict[str, Any]],
    int,
]

CONTESTS: list[Contest] = [
    (
        "allreduce: send no array, then recv, op",
        lambda comm, n: comm.allreduce(None, None, "prod"),
        lambda n: {"argument": "send"},
        1,
    ),
    (
        "allreduce: two types, then op, nothing to reduce",
        lambda comm, n: comm.allreduce(f64(0), np.zeros(3, np.float32), "prod"),
        lambda n: {"argument": "recv"},
        1,
    ),
    (
        "allreduce: overlap, then op, lengths",
        lambda comm, n: comm.allreduce(*overlapping(), "prod"),
        lambda n: {"argument": "recv"},
        1,
    ),
    (
        "allreduce: op, then nothing to reduce, lengths",
        lambda comm, n: comm.allreduce(f64(0), f64(3), "prod"),
        lambda n: {"argument": "op"},
        1,
    ),
    (
        "allreduce: nothing to reduce, then lengths",
        lambda comm, n: comm.allreduce(f64(0), f64(3), "sum"),
        lambda n: {"kind": "InvalidBufferSize", "expected": 3, "actual": 0},
        1,
    ),
    (
        "allgatherv: overlap, then counts, displs",
        lambda comm, n: comm.allgatherv(*overlapping(), None, None),
        lambda n: {"argument": "recv"},
        1,
    ),
    (
        "allgatherv: counts no list, then displs",
        lambda comm, n: comm.allgatherv(f64(9), f64(9), None, None),
        lambda n: {"argument": "counts"},
        1,
    ),
    (
        "allgatherv: length of counts, then their entries, displs",
        lambda comm, n: comm.allgatherv(f64(9), f64(9), [-1] * (n + 1), None),
        lambda n: {"kind": "InvalidBufferSize", "expected": n, "actual": n + 1},
        1,
    ),
    (
        "allgatherv: the last entry of counts, then the first of displs, a piece outside",
        lambda comm, n: comm.allgatherv(f64(9), f64(9), but_last([99] * n, -1), [-1] * n),
        lambda n: {"argument": f"counts[{n - 1}]"},
        1,
    ),
    (
        "allgatherv: the last entry of displs, then a piece outside, length of send",
        lambda comm, n: comm.allgatherv(f64(9), f64(9), [99] * n, but_last([0] * n, 0.5)),
        lambda n: {"argument": f"displs[{n - 1}]"},
        1,
    ),
    (
        "allgatherv: a piece outside, then length of send",
        lambda comm, n: comm.allgatherv(f64(9), f64(5), [7] * n, [0] * n),
        lambda n: {"kind": "InvalidBufferSize", "expected": 7, "actual": 5},
        1,
    ),
    (
        "allgatherv: the last piece outside, then pieces over each other",
        lambda comm, n: comm.allgatherv(f64(9), f64(5), but_last([3] * n, 7), [0] * n),
        lambda n: {"kind": "InvalidBufferSize", "expected": 7, "actual": 5},
        2,
    ),
    (
        "allgatherv: pieces over each other, then length of send",
        lambda comm, n: comm.allgatherv(f64(9), f64(5), [3] * n, [0] * n),
        lambda n: {"argument": "displs"},
        2,
    ),
    (
        "broadcast: buf no array, then root",
        lambda comm, n: comm.broadcast(None, -1),
        lambda n: {"argument": "buf"},
        1,
    ),
    (
        "create_shared_region: type, then count",
        lambda comm, n: comm.create_shared_region(np.complex128, -1),
        lambda n: {"argument": "dtype"},
        1,
    ),
]


def _case(contest: Contest) -> Case:
    mistakes, call, told, least_ranks = contest

    def run(comm: Communicator, _: Path) -> None:
        if comm.size < least_ranks:
            return
        try:
            call(comm, comm.size)
        except CommError as error:
            facts = error.to_json()
            for field, value in told(comm.size).items():
                assert facts.get(field) == value, facts
        else:
            raise AssertionError("it was not refused")

    return f"the first of several mistakes is told: {mistakes}", run


def _when_closed(comm: Communicator, _: Path) -> None:
    comm.close()
    calls: list[Callable[[], object]] = [
        lambda: comm.allgatherv(None, None, None, None),  # type: ignore[arg-type]
        lambda: comm.allreduce(None, None, "prod"),  # type: ignore[arg-type]
        lambda: comm.broadcast(None, -1),  # type: ignore[arg-type]
        lambda: comm.create_shared_region(np.complex128, -1),
    ]
    for call in calls:
        try:
            call()
            raise AssertionError("a closed communicator was not refused")
        except InvalidCommunicator as error:
            assert error.state == "closed"


PRECEDENCE_CASES: list[Case] = [_case(contest) for contest in CONTESTS]

WHEN_CLOSED: Case = (
    "the first of several mistakes is told: closed, then every argument",
    _when_closed,
)
