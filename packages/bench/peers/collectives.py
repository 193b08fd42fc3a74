"""Times the collectives of mpi4py, through its buffer methods.

Arguments, output and method are those of collectives.c, which see.
"""

import sys
from array import array
from time import perf_counter

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()


def contribution(r, length):
    """What rank r contributes: small whole numbers, whose sums are exact."""
    week = array("d", [(r + 1) * (1.0 + i) for i in range(7)])
    return (week * (length // 7 + 1))[:length]


class Buffers:
    """What the calls of one cell work on; `length` is in doubles, per rank."""

    def __init__(self, length):
        self.length = length
        self.send = contribution(rank, length)
        self.recv = array("d", [-1.0]) * (length * size)
        counts = [length] * size
        displs = [r * length for r in range(size)]
        # Message specifications are made once: building them is not part of a collective.
        self.send_message = [self.send, length, MPI.DOUBLE]
        self.recv_message = [self.recv, length, MPI.DOUBLE]
        self.pieces_message = [self.recv, (counts, displs), MPI.DOUBLE]


def barrier(_, calls):
    for _ in range(calls):
        comm.Barrier()


def allreduce(buffers, calls):
    send, recv, op = buffers.send_message, buffers.recv_message, MPI.SUM
    for _ in range(calls):
        comm.Allreduce(send, recv, op)


def allgatherv(buffers, calls):
    send, pieces = buffers.send_message, buffers.pieces_message
    for _ in range(calls):
        comm.Allgatherv(send, pieces)


def broadcast(buffers, calls):
    buf = buffers.recv_message
    for _ in range(calls):
        comm.Bcast(buf, 0)


def broadcast_rotating(buffers, calls):
    buf = buffers.recv_message
    for i in range(calls):
        comm.Bcast(buf, i % size)


def reduced(length):
    return array("d", [value * size * (size + 1) / 2 for value in contribution(0, length)])


def gathered(length):
    pieces = array("d")
    for r in range(size):
        pieces.extend(contribution(r, length))
    return pieces


def from_rank_0(length):
    return contribution(0, length)


# name: what runs it, and what `recv` then starts with
OPERATIONS = {
    "barrier": (barrier, None),
    "allreduce": (allreduce, reduced),
    "allgatherv": (allgatherv, gathered),
    "broadcast": (broadcast, from_rank_0),
    "broadcast-rotating": (broadcast_rotating, from_rank_0),
}


def check(op, buffers, expected):
    if expected is not None and buffers.recv[: len(expected)] != expected:
        print(f"rank {rank}: wrong result: {op}", file=sys.stderr, flush=True)
        comm.Abort(1)


def measure(op, nbytes, calls, warmup, batches):
    run, result = OPERATIONS[op]
    buffers = Buffers(nbytes // 8)
    if result is from_rank_0 and rank == 0:
        buffers.recv[: buffers.length] = buffers.send
    expected = None if result is None else result(buffers.length)
    run(buffers, 1)
    check(op, buffers, expected)
    for _ in range(warmup):
        run(buffers, calls)

    times = []
    for _ in range(batches):
        comm.Barrier()
        start = perf_counter()
        run(buffers, calls)
        comm.Barrier()
        times.append((perf_counter() - start) * 1e6 / calls)
    if rank == 0:
        print(op, nbytes, *(f"{t:.4f}" for t in times), flush=True)
    check(op, buffers, expected)


for cell in sys.argv[1:]:
    name, *numbers = cell.split(":")
    measure(name, *map(int, numbers))
