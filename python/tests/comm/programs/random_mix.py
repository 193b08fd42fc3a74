"""The random mix of packages/comm/test/conformance/random-mix.ts, played by a rank in Python."""

from __future__ import annotations

import hashlib

import numpy as np
from bits import Random, contribution
from shapes import SHAPES

from cobre.comm import Communicator
from cobre.comm.arrays import ARRAY_TYPES, Array

MIX_SEED = 20_260_214
MIX_COUNT = 1000


def _random_length(random: Random) -> int:
    """Mostly short, sometimes long: bits of the length are random too."""
    return random.below(2 ** random.below(14)) + 1


def run_random_mix(comm: Communicator, seed: int, count: int) -> str:
    """Performs the mix and returns the hash of everything received."""
    digest = hashlib.sha256()
    random = Random(seed)
    for _ in range(count):
        result = _step(comm, random)
        if result is not None:
            digest.update(result.view(np.uint8).data if result.size > 0 else b"")
    return digest.hexdigest()[:32]


def _step(comm: Communicator, random: Random) -> Array | None:
    seed = random.bits()
    array_type = random.pick(ARRAY_TYPES)
    kind = random.below(8)
    if kind == 0:
        comm.barrier()
        return None
    if kind <= 2:
        root = random.below(comm.size)
        length = _random_length(random) - 1
        source = root if comm.rank == root else 1000 + comm.rank
        buf = contribution(array_type, length, seed, source)
        comm.broadcast(buf, root)
        return buf
    if kind <= 4:
        shape = random.pick(list(SHAPES.values()))
        counts = shape(comm.size, _random_length(random) >> 3)
        gap = random.below(3)
        displs, at = [], 0
        for piece in counts:
            displs.append(at + gap)
            at = displs[-1] + piece
        recv = np.zeros(at, array_type.dtype)
        send = contribution(array_type, counts[comm.rank], seed, comm.rank)
        comm.allgatherv(send, recv, counts, displs)
        return recv
    op = random.pick(["sum", "min", "max"])
    length = _random_length(random)
    recv = np.empty(length, array_type.dtype)
    comm.allreduce(contribution(array_type, length, seed, comm.rank), recv, op)
    return recv
