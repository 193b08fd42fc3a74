"""A rank of a fault test: plays its part in a scenario of packages/comm/test/faults and says how it ended."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from cobre.comm import CommError, Communicator, InvalidCommunicator, connect

#: Rounds before a rank counts as running.
WARM_UP = 3


def say(**line: Any) -> None:
    print(json.dumps(line), flush=True)


def is_last(comm: Communicator) -> bool:
    return comm.rank == comm.size - 1


def reduce_of(comm: Communicator, length: int, op: str = "sum", dtype: Any = np.float64) -> None:
    comm.allreduce(np.zeros(length, dtype), np.zeros(length, dtype), op)


def unequal_counts(comm: Communicator) -> None:
    counts = [2] * comm.size
    if is_last(comm):
        counts[0] = 1
    displs = [2 * r for r in range(comm.size)]
    comm.allgatherv(np.zeros(2), np.zeros(2 * comm.size), counts, displs)


def one_more_call(comm: Communicator) -> None:
    if is_last(comm):
        comm.barrier()
    reduce_of(comm, 1)


def last_of_many_broadcasts(comm: Communicator) -> None:
    for _ in range(20):
        comm.broadcast(np.zeros(4), 0)
    comm.broadcast(np.zeros(5 if is_last(comm) else 4), 0)
    comm.barrier()


MISMATCHES: dict[str, Callable[[Communicator], object]] = {
    "operation": lambda comm: comm.barrier() if is_last(comm) else reduce_of(comm, 1),
    "array type": lambda comm: reduce_of(
        comm, 4, dtype=np.float32 if is_last(comm) else np.float64
    ),
    "reduce operation": lambda comm: reduce_of(comm, 4, "max" if is_last(comm) else "sum"),
    "short length": lambda comm: reduce_of(comm, 3 if is_last(comm) else 4),
    "long length": lambda comm: reduce_of(comm, 300_001 if is_last(comm) else 300_000),
    "short and long": lambda comm: reduce_of(comm, 1 if is_last(comm) else 300_000),
    "root": lambda comm: comm.broadcast(np.zeros(4), comm.size - 1 if is_last(comm) else 0),
    "broadcast length": lambda comm: comm.broadcast(np.zeros(5 if is_last(comm) else 4), 0),
    "long broadcast length": lambda comm: comm.broadcast(
        np.zeros(50_000 if is_last(comm) else 40_000), 0
    ),
    "broadcast and barrier": lambda comm: (
        comm.barrier() if is_last(comm) else comm.broadcast(np.zeros(4), 0)
    ),
    "counts": unequal_counts,
    "number of calls": one_more_call,
    "size of a region": lambda comm: comm.create_shared_region(
        np.float64, 3 if is_last(comm) else 4
    ),
    "the last of many broadcasts": last_of_many_broadcasts,
}


def loop(comm: Communicator, operation: str, count: int) -> None:
    """Performs one collective for ever, and fails if ever a result is wrong."""
    rank, size = comm.rank, comm.size
    send, recv, gathered = np.zeros(count), np.zeros(count), np.zeros(count * size)
    counts, displs = [count] * size, [r * count for r in range(size)]
    i = 0
    while True:
        if i == WARM_UP:
            say(said="ready")
        send[:] = i + rank
        if operation == "barrier":
            comm.barrier()
        elif operation == "allreduce":
            comm.allreduce(send, recv, "sum")
            assert (recv == size * i + size * (size - 1) / 2).all(), "wrong result"
        elif operation == "broadcast":
            # Each root twice: who repeats a broadcast does not wait for the others first.
            root = (i >> 1) % size
            if rank == root:
                recv[:] = i
            comm.broadcast(recv, root)
            assert (recv == i).all(), "wrong result"
        elif operation == "allgatherv":
            comm.allgatherv(send, gathered, counts, displs)
            assert (i + np.arange(size) == gathered.reshape(size, -1).T).all(), "wrong result"
        elif operation == "region":
            with comm.create_shared_region(np.float64, count) as region:
                if comm.is_leader:
                    region.as_mut_slice()[:] = i
                region.fence()
                assert (region.as_slice() == i).all(), "wrong result"
        i += 1


def end(comm: Communicator, how: str) -> None:
    comm.barrier()
    if not is_last(comm):
        comm.barrier()
        return
    if how == "throw":
        raise TypeError("a mistake in the program")
    if how == "exit":
        sys.exit(3)
    if how == "vanish":
        os._exit(0)
    if how == "abort":
        comm.abort("it has had enough")
    if how == "close":
        comm.close()
    time.sleep(0 if how == "finish" else 0.05)


def play(comm: Communicator, scenario: dict[str, Any]) -> None:
    kind = scenario["kind"]
    if kind == "loop":
        loop(comm, scenario["operation"], scenario["bytes"] // 8)
    elif kind == "mismatch":
        comm.barrier()
        MISMATCHES[scenario["name"]](comm)
    elif kind == "ending":
        end(comm, scenario["how"])
    elif kind == "late":
        comm.barrier()
        if is_last(comm):
            time.sleep(scenario["milliseconds"] / 1000)
        total = np.zeros(1)
        comm.allreduce(np.ones(1), total, "sum")
        assert total[0] == comm.size


def what_follows(comm: Communicator) -> str:
    """A broken communicator stays broken: what the next call says."""
    try:
        comm.barrier()
    except InvalidCommunicator as error:
        return f"{error.kind} {error.state}"
    return "nothing"


def main() -> None:
    scenario = json.loads(sys.argv[1])
    comm = connect()
    try:
        if scenario.get("how") in ("throw", "exit") and is_last(comm):
            with comm:
                play(comm, scenario)
        else:
            play(comm, scenario)
        say(said="done")
    except CommError as error:
        say(said="failed", error=error.to_json(), next=what_follows(comm))


if __name__ == "__main__":
    main()
