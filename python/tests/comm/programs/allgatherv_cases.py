"""What every rank must see of allgatherv, in Python; the twin of cases/allgatherv.ts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from bits import contribution, raw
from case import Case
from shapes import SHAPES

from cobre.comm import Communicator
from cobre.comm.arrays import ARRAY_TYPES, FLOAT64, ArrayType


def check_allgatherv(
    comm: Communicator,
    array_type: ArrayType,
    counts: list[int],
    backwards: bool,
    gap: int,
    seed: int | None = None,
) -> None:
    """Ranks that place the pieces in different ways must give the same seed."""
    displs, at = [0] * len(counts), gap
    order = range(len(counts))
    for r in reversed(order) if backwards else order:
        displs[r] = at
        at += counts[r] + gap
    seed = at + gap if seed is None else seed
    inputs = [contribution(array_type, count, seed, r) for r, count in enumerate(counts)]
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


def places_of_their_own(comm: Communicator, _: Path) -> None:
    for scale in (1, 10, 1000, 100_000):
        for shape in SHAPES.values():
            counts = shape(comm.size, scale)
            check_allgatherv(comm, FLOAT64, counts, comm.rank % 2 == 1, 40 * comm.rank, scale)


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


ALLGATHERV_CASES: list[Case] = [
    *(
        (
            f"allgatherv of {t.name}: six shapes, in and against rank order, gaps untouched",
            allgathervs(t),
        )
        for t in ARRAY_TYPES
    ),
    ("allgatherv of long pieces: around one and three chunks, unequal", long_allgathervs),
    ("allgatherv of very long pieces, among short ones", very_long_allgathervs),
    ("allgatherv to places that differ from rank to rank", places_of_their_own),
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
]
