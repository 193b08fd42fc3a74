"""What every rank must see of broadcast, in Python; the twin of cases/broadcast.ts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from bits import contribution, raw
from case import Case
from shapes import interesting_lengths

from cobre.comm import Communicator
from cobre.comm.arrays import ARRAY_TYPES, FLOAT64, ArrayType


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


BROADCAST_CASES: list[Case] = [
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
]
