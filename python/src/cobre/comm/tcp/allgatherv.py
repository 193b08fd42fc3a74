"""Allgatherv through the coordinator. Two ranks exchange their pieces directly."""

from __future__ import annotations

from ..arrays import bytes_of
from ..checks import Pieces
from ..fingerprint import ALLGATHERV, encode_call, stir_counts
from .group import Group
from .short import SHORT_BYTES, receive_short, send_short
from .streams import Incoming, InPort, Outgoing, OutPort, Traffic, run
from .wire import ALLGATHERV_RECV, ALLGATHERV_SEND


def allgatherv(group: Group, pieces: Pieces) -> None:
    """Gathers every piece at its place in ``recv``."""
    (send, recv, array_type), counts, displs = pieces
    total = sum(counts)
    group.open(encode_call(ALLGATHERV, array_type.code), total, stir_counts(counts))
    at = displs[group.rank]
    recv[at : at + send.size] = send
    spans = [bytes_of(recv[displ : displ + n]) for displ, n in zip(displs, counts, strict=True)]
    if total * array_type.item_bytes <= SHORT_BYTES:
        _exchange(group, spans)
    elif group.size == 2:
        run(group, _both_ways(group, spans))
    elif group.rank == 0:
        run(group, _at_coordinator(group, spans))
    else:
        run(group, _through_coordinator(group, spans))


def _exchange(group: Group, spans: list[memoryview]) -> None:
    """For short messages: every piece goes to the coordinator, and all pieces come back."""
    rank, size, links = group.rank, group.size, group.links

    def take(r: int, payload: memoryview) -> None:
        spans[r][:] = payload

    def take_all(_: int, payload: memoryview) -> None:
        at = 0
        for r, span in enumerate(spans):
            if r != rank:
                span[:] = payload[at : at + len(span)]
            at += len(span)

    if rank > 0 or size == 2:
        send_short(group, links, ALLGATHERV_SEND, [spans[rank]], fingerprint=True)
    if rank > 0 and size > 2:
        total = sum(map(len, spans))
        receive_short(group, links, ALLGATHERV_RECV, lambda _: total, take_all, fingerprint=False)
        return
    receive_short(group, links, ALLGATHERV_SEND, lambda r: len(spans[r]), take, fingerprint=True)
    if size > 2:
        send_short(group, links, ALLGATHERV_RECV, spans, fingerprint=False)


def _both_ways(group: Group, spans: list[memoryview]) -> Traffic:
    """Two ranks send each other their pieces."""
    (link,), own = group.links, spans[group.rank]
    incoming = Incoming(ALLGATHERV_SEND, [spans[1 - group.rank]])
    outgoing = Outgoing(ALLGATHERV_SEND, [own], lambda: len(own))
    return Traffic([InPort(link, [incoming])], [OutPort(link, [outgoing])])


def _at_coordinator(group: Group, spans: list[memoryview]) -> Traffic:
    """Pieces arrive at the same time and are sent to each worker in rank order."""
    incoming = {link.rank: Incoming(ALLGATHERV_SEND, [spans[link.rank]]) for link in group.links}

    def outgoing_to(worker: int) -> Outgoing:
        ranks = [r for r in range(group.size) if r != worker]

        def available() -> int:
            count = 0
            for r in ranks:
                stream = incoming.get(r)
                count += len(spans[r]) if stream is None else stream.received
                if stream is not None and not stream.is_done:
                    break
            return count

        return Outgoing(ALLGATHERV_RECV, [spans[r] for r in ranks], available)

    ins = [InPort(link, [incoming[link.rank]]) for link in group.links]
    outs = [OutPort(link, [outgoing_to(link.rank)]) for link in group.links]
    return Traffic(ins, outs)


def _through_coordinator(group: Group, spans: list[memoryview]) -> Traffic:
    (link,), own = group.links, spans[group.rank]
    others = [span for r, span in enumerate(spans) if r != group.rank]
    outgoing = Outgoing(ALLGATHERV_SEND, [own], lambda: len(own))
    return Traffic([InPort(link, [Incoming(ALLGATHERV_RECV, others)])], [OutPort(link, [outgoing])])
