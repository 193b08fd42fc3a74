"""The conformance table, as a rank in Python goes through it.

Each case makes the collective calls of the case of the same name in packages/comm/test/conformance/cases,
so that ranks of both languages can go through the table together.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from bits import contribution
from misuse import misuse_cases
from shapes import SHAPES, interesting_lengths

from cobre.comm import Communicator
from cobre.comm.arrays import ARRAY_TYPES, FLOAT64, Array, ArrayType
from cobre.comm.errors import InvalidCommunicator
from cobre.comm.fold import fold

Case = tuple[str, Callable[[Communicator, Path], None]]

BY_NAME = {array_type.name: array_type for array_type in ARRAY_TYPES}


def raw(array: Array) -> bytes:
    return array.tobytes()


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


def check_broadcast(comm: Communicator, array_type: ArrayType, length: int, root: int) -> None:
    around = np.full((length + 2) * array_type.item_bytes, 0x5A, np.uint8)
    buf = around.view(array_type.dtype)[1 : length + 1]
    expected = contribution(array_type, length, length, root)
    if comm.rank == root:
        buf[:] = expected
    comm.broadcast(buf, root)
    assert raw(buf) == raw(expected), f"{length} x {array_type.name} from {root}"
    assert around[0] == around[-1] == 0x5A, "neighbours were changed"


def broadcasts(array_type: ArrayType) -> Callable[[Communicator, Path], None]:
    def check(comm: Communicator, _: Path) -> None:
        for root in range(comm.size):
            for length in [0, *interesting_lengths(comm.size)]:
                check_broadcast(comm, array_type, length, root)

    return check


def long_broadcasts(comm: Communicator, _: Path) -> None:
    for root in range(comm.size):
        for kib in (64, 128, 256, 768, 1024):
            for odd in (-1, 0, 1):
                check_broadcast(comm, FLOAT64, kib * 128 + odd, root)


def again_after_broadcast(comm: Communicator, _: Path) -> None:
    for length in (100, 9000, 20_000, 131_072, 400_000):
        buf = np.zeros(length)
        for turn in range(20):
            root = (turn >> 2) % comm.size
            if comm.rank == root:
                buf[:] = turn
            comm.broadcast(buf, root)
            assert (buf == turn).all(), f"round {turn} of {length}"
            buf[:] = -1


def never_overtaken(comm: Communicator, _: Path) -> None:
    buf = np.zeros(4, np.int32)
    for round_ in range(500):
        root = round_ % comm.size
        buf[:] = round_ if comm.rank == root else -1
        comm.broadcast(buf, root)
        assert buf.tolist() == [round_] * 4


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


def check_allgatherv(
    comm: Communicator, array_type: ArrayType, counts: list[int], backwards: bool, gap: int
) -> None:
    displs, at = [0] * len(counts), gap
    order = range(len(counts))
    for r in reversed(order) if backwards else order:
        displs[r] = at
        at += counts[r] + gap
    inputs = [contribution(array_type, count, at + gap, r) for r, count in enumerate(counts)]
    send = inputs[comm.rank]
    before = raw(send)
    recv = np.full(at * array_type.item_bytes, 0xA5, np.uint8).view(array_type.dtype)
    expected = recv.copy()
    for piece, displ in zip(inputs, displs, strict=True):
        expected[displ : displ + piece.size] = piece
    comm.allgatherv(send, recv, counts, displs)
    assert raw(recv) == raw(expected), f"{counts} at {displs}"
    assert raw(send) == before, "send was changed"


def allgathervs(array_type: ArrayType) -> Callable[[Communicator, Path], None]:
    def check(comm: Communicator, _: Path) -> None:
        for shape in SHAPES.values():
            for scale in (1, 3, 1000):
                counts = shape(comm.size, scale)
                check_allgatherv(comm, array_type, counts, False, 0)
                check_allgatherv(comm, array_type, counts, True, 3)

    return check


def long_allgathervs(comm: Communicator, _: Path) -> None:
    for kib in (64, 128, 256, 1024):
        for shape in ("regular", "onlyFirst", "decreasing", "spike"):
            for odd in (-1, 0, 1):
                counts = SHAPES[shape](comm.size, kib * 128 + odd)
                check_allgatherv(comm, FLOAT64, counts, odd == 0, odd + 1)


def very_long_allgathervs(comm: Communicator, _: Path) -> None:
    counts = [*range(comm.size - 1), 2**21 + 5]
    check_allgatherv(comm, FLOAT64, counts, False, 1)
    check_allgatherv(comm, FLOAT64, counts[::-1], True, 0)


def again_after_allgatherv(comm: Communicator, _: Path) -> None:
    for length in (100, 9000, 131_072, 300_000):
        counts = [length] * comm.size
        displs = [r * length for r in range(comm.size)]
        send, recv = np.zeros(length), np.zeros(length * comm.size)
        for turn in range(10):
            send[:] = 100 * turn + comm.rank
            comm.allgatherv(send, recv, counts, displs)
            assert (recv == np.repeat(100 * turn + np.arange(comm.size), length)).all()
            send[:] = -1
            recv[:] = -1


def nothing_from_anybody(comm: Communicator, _: Path) -> None:
    recv = np.array([5.0])
    for _i in range(3):
        comm.allgatherv(np.zeros(0), recv, [0] * comm.size, [0] * comm.size)
    assert recv[0] == 5


def small_arrays_again(comm: Communicator, _: Path) -> None:
    counts = [1] * comm.size
    displs = list(range(comm.size))
    sends = [np.zeros(1), np.zeros(9)[5:6]]
    recvs = [np.zeros(comm.size), np.zeros(40)[3 : 3 + comm.size]]
    for turn in range(400):
        which = (turn >> 5 if turn < 200 else turn) & 1
        send, recv = sends[which], recvs[which]
        send[0] = 10 * turn + comm.rank
        comm.allgatherv(send, recv, counts, displs)
        assert recv.tolist() == [10 * turn + r for r in displs]
        comm.broadcast(send, comm.size - 1)
        assert send[0] == 10 * turn + comm.size - 1


def counts_as_arrays(comm: Communicator, _: Path) -> None:
    counts = np.ones(comm.size, np.int32)
    displs = np.arange(comm.size, dtype=np.uint32)
    recv = np.zeros(comm.size, np.int64)
    comm.allgatherv(np.array([comm.rank - 5], np.int64), recv, counts, displs)
    assert recv.tolist() == [r - 5 for r in range(comm.size)]


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
    *(
        (f"broadcast of {t.name}: every root, lengths around every boundary", broadcasts(t))
        for t in ARRAY_TYPES
    ),
    ("broadcast of long arrays: around one and three chunks, from every root", long_broadcasts),
    (
        "an array is the caller's again when a broadcast of any length returns",
        again_after_broadcast,
    ),
    (
        "a broadcast that only its root fills, many in a row, is never overtaken",
        never_overtaken,
    ),
    *(
        (f"allreduce of {t.name}: all operations, lengths around every boundary", allreduces(t))
        for t in ARRAY_TYPES
    ),
    ("allreduce of long vectors: around one and three chunks, and a million", long_allreduces),
    ("allreduce folds in rank order: big, -big and tiny at all pairs of ranks", rank_order),
    ("allreduce into parts of larger arrays leaves their neighbours alone", neighbours),
    ("allreduce of one array again and again uses its newest values", newest_values),
    *(
        (
            f"allgatherv of {t.name}: six shapes, in and against rank order, gaps untouched",
            allgathervs(t),
        )
        for t in ARRAY_TYPES
    ),
    ("allgatherv of long pieces: around one and three chunks, unequal", long_allgathervs),
    ("allgatherv of very long pieces, among short ones", very_long_allgathervs),
    (
        "arrays are the caller's again when an allgatherv of any length returns",
        again_after_allgatherv,
    ),
    ("allgatherv of nothing from anybody is a meeting", nothing_from_anybody),
    (
        "allgatherv of small arrays that come again, alone and by turns, some inside larger ones",
        small_arrays_again,
    ),
    ("allgatherv takes typed arrays as counts and displs", counts_as_arrays),
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
    ("an empty region is a region", empty_region),
    (
        "many regions at once, closed in another order; a view outlives its region without fault",
        many_regions,
    ),
    *misuse_cases(),
]

LAST: list[Case] = [("close twice, then every operation says that it was closed", close_twice)]
