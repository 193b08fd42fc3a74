"""The conformance table, as a rank in Python goes through it.

Each case makes the collective calls of the case of the same name in packages/comm/test/conformance/cases,
so that ranks of both languages can go through the table together.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from allgatherv_cases import ALLGATHERV_CASES
from bits import contribution, raw
from broadcast_cases import BROADCAST_CASES
from case import Case
from misuse import misuse_cases
from precedence import PRECEDENCE_CASES, WHEN_CLOSED
from shapes import interesting_lengths

from cobre.comm import Communicator
from cobre.comm.arrays import ARRAY_TYPES, FLOAT64, ArrayType
from cobre.comm.errors import InvalidCommunicator
from cobre.comm.fold import fold

BY_NAME = {array_type.name: array_type for array_type in ARRAY_TYPES}


def identity(comm: Communicator, _: Path) -> None:
    everyone = np.zeros(2 * comm.size, np.int32)
    mine = np.array([comm.rank, comm.size], np.int32)
    comm.allgatherv(mine, everyone, [2] * comm.size, [2 * r for r in range(comm.size)])
    assert everyone.tolist() == [n for r in range(comm.size) for n in (r, comm.size)]


def split(comm: Communicator, _: Path) -> None:
    with comm.split_local() as local:
        assert 0 <= local.rank < local.size <= comm.size
        assert comm.is_leader == (local.rank == 0)
        total = np.zeros(1, np.int32)
        local.allreduce(np.ones(1, np.int32), total, "sum")
        assert total[0] == local.size


def split_between(comm: Communicator, _: Path) -> None:
    local = comm.split_local()
    for round_ in range(5):
        total = np.zeros(1)
        comm.allreduce(np.array([float(comm.rank + round_)]), total, "max")
        assert total[0] == comm.size - 1 + round_
        local.allreduce(np.array([float(local.rank + round_)]), total, "max")
        assert total[0] == local.size - 1 + round_
    local.close()
    local.close()
    try:
        local.barrier()
        raise AssertionError("a closed split was not refused")
    except InvalidCommunicator as error:
        assert error.state == "closed"
    comm.barrier()


def meeting(
    name: str, meet: Callable[[Communicator], None]
) -> Callable[[Communicator, Path], None]:
    def check(comm: Communicator, directory: Path) -> None:
        for late in range(comm.size):
            if comm.rank == late:
                time.sleep(0.02)
            (directory / f"{name}-{late}-{comm.rank}").touch()
            meet(comm)
            for rank in range(comm.size):
                assert (directory / f"{name}-{late}-{rank}").exists(), f"before rank {rank}"
            comm.barrier()

    return check


def gather_nothing(comm: Communicator) -> None:
    comm.allgatherv(np.zeros(0), np.zeros(0), [0] * comm.size, [0] * comm.size)


def many_barriers(comm: Communicator, _: Path) -> None:
    for _i in range(10_000):
        comm.barrier()


def check_allreduce(comm: Communicator, array_type: ArrayType, length: int, op: str) -> None:
    seed = length * 31 + array_type.code
    inputs = [contribution(array_type, length, seed, r) for r in range(comm.size)]
    send = inputs[comm.rank]
    before = raw(send)
    recv = np.empty(length, array_type.dtype)
    comm.allreduce(send, recv, op)
    expected = np.empty(length, array_type.dtype)
    fold(inputs, expected, op)
    assert raw(recv) == raw(expected), f"{op} of {length} x {array_type.name}"
    assert raw(send) == before, "send was changed"


def allreduces(array_type: ArrayType) -> Callable[[Communicator, Path], None]:
    def check(comm: Communicator, _: Path) -> None:
        for op in ("sum", "min", "max"):
            for length in interesting_lengths(comm.size):
                check_allreduce(comm, array_type, length, op)

    return check


def long_allreduces(comm: Communicator, _: Path) -> None:
    for kib in (64, 128, 256, 512, 1024):
        for odd in (-1, 0, 1):
            check_allreduce(comm, FLOAT64, kib * 128 + odd, "sum")
            check_allreduce(comm, BY_NAME["Int8Array"], 3 * kib * 1024 + odd, "sum")
    check_allreduce(comm, BY_NAME["Float32Array"], 1_000_003, "sum")


def rank_order(comm: Communicator, _: Path) -> None:
    for plus in range(comm.size):
        for minus in range(comm.size):
            values = [
                1e6 if r == plus else -1e6 if r == minus else 1e-2 / 3 for r in range(comm.size)
            ]
            recv = np.zeros(3)
            comm.allreduce(np.full(3, values[comm.rank]), recv, "sum")
            in_order = values[0]
            for value in values[1:]:
                in_order += value
            assert recv.tolist() == [in_order] * 3


def neighbours(comm: Communicator, _: Path) -> None:
    around = np.full(12, -7.0)
    comm.allreduce(np.ones(9)[2:7], around[3:8], "sum")
    assert around.tolist() == [-7.0] * 3 + [float(comm.size)] * 5 + [-7.0] * 4


def newest_values(comm: Communicator, _: Path) -> None:
    send, recv = np.zeros(2), np.zeros(2)
    for round_ in range(300):
        send[:] = round_ + comm.rank
        comm.allreduce(send, recv, "min")
        assert recv.tolist() == [round_, round_]


def filled_region(comm: Communicator, _: Path) -> None:
    for array_type in ARRAY_TYPES:
        with comm.create_shared_region(array_type.dtype, 1000) as region:
            view = region.as_mut_slice()
            assert view.size == 1000 and not view.any()
            region.fence()
            if comm.is_leader:
                view[:] = 1
            region.fence()
            assert (region.as_slice() == 1).all()


def region_in_shares(comm: Communicator, _: Path) -> None:
    with comm.split_local() as local:
        count = 10_001
        with comm.create_shared_region(np.float64, count) as region:
            first, last = (count * r // local.size for r in (local.rank, local.rank + 1))
            region.as_mut_slice()[first:last] = np.sqrt(np.arange(first, last))
            region.fence()
            assert (region.as_slice() == np.sqrt(np.arange(count))).all()


def same_memory(comm: Communicator, _: Path) -> None:
    with comm.create_shared_region(np.int32, 4) as region:
        assert region.as_mut_slice() is region.as_mut_slice()
        region.fence()
        if comm.is_leader:
            region.as_mut_slice()[2] = 99
        region.fence()
        assert region.as_slice()[2] == 99


def region_in_collective(comm: Communicator, _: Path) -> None:
    with comm.create_shared_region(np.float64, comm.size) as region:
        recv = np.zeros(comm.size)
        if comm.is_leader:
            region.as_mut_slice()[:] = 2
        region.fence()
        comm.allreduce(region.as_mut_slice(), recv, "sum")
        assert recv[0] == 2 * comm.size


def owns_its_regions(comm: Communicator) -> bool:
    """Whether the contract gives each rank a region of its own there."""
    return comm.backend in ("local", "tcp")


def fence_of_ones_own(comm: Communicator, _: Path) -> None:
    if not owns_its_regions(comm):
        return
    with comm.create_shared_region(np.int32, comm.size) as region:
        region.as_mut_slice()[comm.rank] = comm.rank + 1
        # Where it met the others, they would have to fence as often, or be told of a mismatch.
        for _i in range(comm.rank + 1):
            region.fence()
        expected = [r + 1 if r == comm.rank else 0 for r in range(comm.size)]
        assert region.as_slice().tolist() == expected
        comm.barrier()
        assert region.as_slice().tolist() == expected


def fence_of_shared_memory(comm: Communicator, _: Path) -> None:
    if owns_its_regions(comm):
        return
    with comm.create_shared_region(np.int32, comm.size) as region:
        shared = region.as_mut_slice()
        for late in range(comm.size):
            if comm.rank == late:
                time.sleep(0.02)
            shared[comm.rank] = late + 1
            region.fence()
            assert shared.tolist() == [late + 1] * comm.size
            region.fence()


def empty_region(comm: Communicator, _: Path) -> None:
    with comm.create_shared_region(np.float64, 0) as region:
        assert region.as_slice().size == 0
        region.fence()


def many_regions(comm: Communicator, _: Path) -> None:
    regions = [comm.create_shared_region(np.float64, 100 + i) for i in range(20)]
    for i, region in enumerate(regions):
        if comm.is_leader:
            region.as_mut_slice()[:] = i
        region.fence()
    views = [region.as_slice() for region in regions]
    for region in reversed(regions):
        region.close()
        region.close()
    assert [view[50] for view in views] == list(range(20))
    for operation in (regions[0].as_slice, regions[0].fence):
        try:
            operation()
            raise AssertionError("a closed region was not refused")
        except InvalidCommunicator:
            pass
    comm.barrier()


def close_twice(comm: Communicator, _: Path) -> None:
    comm.barrier()
    comm.close()
    comm.close()
    one, ones = np.zeros(1), [1] * comm.size
    calls: dict[str, Callable[[], object]] = {
        "allgatherv": lambda: comm.allgatherv(one, np.zeros(comm.size), ones, range(comm.size)),
        "allreduce": lambda: comm.allreduce(one, np.zeros(1), "sum"),
        "broadcast": lambda: comm.broadcast(one, 0),
        "barrier": comm.barrier,
        "create_shared_region": lambda: comm.create_shared_region(np.float64, 1),
        "split_local": comm.split_local,
    }
    for operation, call in calls.items():
        try:
            call()
            raise AssertionError(f"{operation} was not refused")
        except InvalidCommunicator as error:
            assert (error.operation, error.state) == (operation, "closed")


TABLE: list[Case] = [
    ("ranks are 0 to size - 1, each once, and agree on the size", identity),
    ("splitLocal has a place for every rank that shares memory, led by its rank 0", split),
    (
        "a split works between collectives of its parent, and after being closed leaves it whole",
        split_between,
    ),
    (
        "barrier: nobody returns before all have entered, whoever is late",
        meeting("barrier", lambda comm: comm.barrier()),
    ),
    (
        "allgatherv: nobody returns before all have contributed, also with nothing",
        meeting("allgatherv", gather_nothing),
    ),
    (
        "allreduce: nobody returns before all have contributed",
        meeting("allreduce", lambda comm: comm.allreduce(np.zeros(1), np.zeros(1), "sum")),
    ),
    ("ten thousand barriers in a row", many_barriers),
    *BROADCAST_CASES,
    *(
        (f"allreduce of {t.name}: all operations, lengths around every boundary", allreduces(t))
        for t in ARRAY_TYPES
    ),
    ("allreduce of long vectors: around one and three chunks, and a million", long_allreduces),
    ("allreduce folds in rank order: big, -big and tiny at all pairs of ranks", rank_order),
    ("allreduce into parts of larger arrays leaves their neighbours alone", neighbours),
    ("allreduce of one array again and again uses its newest values", newest_values),
    *ALLGATHERV_CASES,
    (
        "a region starts zeroed, the leader fills it, everybody reads it after the fence",
        filled_region,
    ),
    (
        "every local rank fills its share of a region, and everybody reads all of it",
        region_in_shares,
    ),
    ("a region gives the same memory each time", same_memory),
    ("regions can be passed to collectives", region_in_collective),
    (
        "a fence of memory of one's own leaves it as it is, and waits for nobody",
        fence_of_ones_own,
    ),
    (
        "a fence of shared memory lets nobody go on before all have written",
        fence_of_shared_memory,
    ),
    ("an empty region is a region", empty_region),
    (
        "many regions at once, closed in another order; a view outlives its region without fault",
        many_regions,
    ),
    *PRECEDENCE_CASES,
    *misuse_cases(),
]

LAST: list[Case] = [
    ("close twice, then every operation says that it was closed", close_twice),
    WHEN_CLOSED,
]
