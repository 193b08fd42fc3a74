"""Allreduce: the coordinator folds all vectors in rank order. Two ranks fold one half each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..arrays import REDUCE_OPS, Array, bytes_of
from ..checks import Pair
from ..fingerprint import ALLREDUCE, encode_call
from ..fold import fold
from .group import Group
from .short import SHORT_BYTES, receive_short, send_short
from .streams import CHUNK_BYTES, Incoming, InPort, Outgoing, OutPort, Traffic, run
from .wire import ALLREDUCE_RECV, ALLREDUCE_SEND


def allreduce(group: Group, pair: Pair, op: str) -> None:
    """Folds all ``send`` into ``recv``."""
    group.open(encode_call(ALLREDUCE, pair.type.code, REDUCE_OPS[op]), pair.send.size)
    if pair.send.nbytes <= SHORT_BYTES:
        _exchange(group, pair, op)
    elif group.size == 2:
        run(group, _in_halves(group, pair, op))
    elif group.rank == 0:
        run(group, _at_coordinator(group, pair, op))
    else:
        run(group, _through_coordinator(group, pair, op))


def _exchange(group: Group, pair: Pair, op: str) -> None:
    """For short messages: operands go to the coordinator and the result comes back. Two ranks exchange operands."""
    rank, size, links = group.rank, group.size, group.links
    count = pair.send.nbytes
    operands = [pair.send] * size

    def take(r: int, payload: memoryview) -> None:
        # A copy, because in the input it is not aligned and will be overwritten.
        operands[r] = np.frombuffer(bytes(payload), pair.type.dtype)

    def take_result(_: int, payload: memoryview) -> None:
        bytes_of(pair.recv)[:] = payload

    if rank > 0 or size == 2:
        code = REDUCE_OPS[op]
        send_short(group, links, ALLREDUCE_SEND, [bytes_of(pair.send)], fingerprint=True, op=code)
    if rank > 0 and size > 2:
        receive_short(group, links, ALLREDUCE_RECV, lambda _: count, take_result, fingerprint=False)
        return
    receive_short(group, links, ALLREDUCE_SEND, lambda _: count, take, fingerprint=True)
    fold(operands, pair.recv, op)
    if size > 2:
        send_short(group, links, ALLREDUCE_RECV, [bytes_of(pair.recv)], fingerprint=False)


class _Folding:
    """Folds part after part into ``recv`` as operands arrive."""

    def __init__(
        self,
        recv: Array,
        op: str,
        ready: Callable[[], int],
        operands: Callable[[int, int], list[Array]],
    ) -> None:
        """``operands`` returns the operands for a range of elements."""
        #: The number of bytes of ``recv`` that are folded.
        self.done = 0
        self._recv = recv
        self._op = op
        self._ready = ready
        self._operands = operands

    def advance(self) -> bool:
        """Folds the next complete parts; returns whether there were any."""
        has_moved = False
        total, item = self._recv.nbytes, self._recv.itemsize
        while self.done < total:
            end = min(self.done + CHUNK_BYTES, total)
            if self._ready() < end:
                break
            first, last = self.done // item, end // item
            fold(self._operands(first, last), self._recv[first:last], self._op)
            self.done = end
            has_moved = True
        return has_moved


def _in_halves(group: Group, pair: Pair, op: str) -> Traffic:
    """Two ranks fold one half each: they exchange operands, then results."""
    rank, (link,) = group.rank, group.links
    middle = pair.send.size // 2
    mine, theirs = slice(0, middle), slice(middle, None)
    if rank == 1:
        mine, theirs = theirs, mine
    own, result = pair.send[mine], pair.recv[mine]
    operand = Incoming(ALLREDUCE_SEND, [bytes_of(result)])

    def operands(first: int, last: int) -> list[Array]:
        parts = [own[first:last], result[first:last]]
        return parts if rank == 0 else parts[::-1]

    folding = _Folding(result, op, lambda: operand.received, operands)
    given = bytes_of(pair.send[theirs])
    outs = [
        Outgoing(ALLREDUCE_SEND, [given], lambda: len(given), REDUCE_OPS[op]),
        Outgoing(ALLREDUCE_RECV, [bytes_of(result)], lambda: folding.done),
    ]
    ins = [operand, Incoming(ALLREDUCE_RECV, [bytes_of(pair.recv[theirs])])]
    return Traffic([InPort(link, ins)], [OutPort(link, outs)], folding.advance)


def _at_coordinator(group: Group, pair: Pair, op: str) -> Traffic:
    """Operands arrive at the same time and are folded part by part in rank order."""
    send, recv, array_type = pair
    total = send.nbytes
    # Rank 1's operand is received into recv, the others part by part into buffers.
    first = Incoming(ALLREDUCE_SEND, [bytes_of(recv)])
    foldings = [_Folding(recv, op, lambda: first.received, lambda a, b: [send[a:b], recv[a:b]])]
    incoming = [first]
    for _ in group.links[1:]:
        buffer = np.empty(CHUNK_BYTES // array_type.item_bytes, array_type.dtype)
        whole = bytes_of(buffer)
        starts = range(0, total, CHUNK_BYTES)
        parts = [whole[: min(CHUNK_BYTES, total - at)] for at in starts]
        stream, folding = _further_operand(foldings[-1], recv, buffer, parts, op)
        incoming.append(stream)
        foldings.append(folding)

    def work() -> bool:
        return any([folding.advance() for folding in foldings])

    results = bytes_of(recv)
    last = foldings[-1]
    ins = [InPort(link, [stream]) for link, stream in zip(group.links, incoming, strict=True)]
    outs = [
        OutPort(link, [Outgoing(ALLREDUCE_RECV, [results], lambda: last.done)])
        for link in group.links
    ]
    return Traffic(ins, outs, work)


def _further_operand(
    before: _Folding, recv: Array, buffer: Array, parts: list[memoryview], op: str
) -> tuple[Incoming, _Folding]:
    """An operand that is folded into the result of ``before``, one buffer at a time."""
    stream = Incoming(ALLREDUCE_SEND, parts, lambda: folding.done + CHUNK_BYTES)
    folding = _Folding(
        recv,
        op,
        lambda: min(before.done, stream.received),
        lambda a, b: [recv[a:b], buffer[: b - a]],
    )
    return stream, folding


def _through_coordinator(group: Group, pair: Pair, op: str) -> Traffic:
    (link,) = group.links
    own = bytes_of(pair.send)
    outgoing = Outgoing(ALLREDUCE_SEND, [own], lambda: len(own), REDUCE_OPS[op])
    incoming = Incoming(ALLREDUCE_RECV, [bytes_of(pair.recv)])
    return Traffic([InPort(link, [incoming])], [OutPort(link, [outgoing])])
