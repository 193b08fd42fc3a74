"""Broadcast: the root's bytes go to all ranks, through the coordinator.

Ranks meet before a broadcast that differs from the previous call, so that all learn of a mismatch. A repeated one waits only
for the data.
"""

from __future__ import annotations

from ..arrays import Array, ArrayType, bytes_of
from ..fingerprint import BROADCAST, encode_call
from . import wire
from .barrier import meet
from .group import Group
from .link import Link
from .short import SHORT_BYTES, receive_short, send_short
from .streams import Incoming, InPort, Outgoing, OutPort, Traffic, run


def broadcast(group: Group, buf: Array, array_type: ArrayType, root: int) -> None:
    """Copies the root's bytes to ``buf`` on every rank."""
    is_repeated = group.open(encode_call(BROADCAST, array_type.code, 0, root), buf.size)
    if not is_repeated:
        meet(group)
    if buf.size == 0:
        return
    sources, targets = _flow(group, root)
    if buf.nbytes <= SHORT_BYTES:
        _pass_on(group, bytes_of(buf), sources, targets)
    else:
        run(group, _stream(bytes_of(buf), sources, targets))


def _flow(group: Group, root: int) -> tuple[list[Link], list[Link]]:
    """The links from which the bytes come (none at the root) and to which they go."""
    links = group.links
    if group.rank == root:
        return [], links
    if group.rank > 0:
        return links, []
    return [k for k in links if k.rank == root], [k for k in links if k.rank != root]


def _pass_on(group: Group, span: memoryview, sources: list[Link], targets: list[Link]) -> None:
    def take(_: int, payload: memoryview) -> None:
        span[:] = payload

    receive_short(group, sources, wire.BROADCAST, lambda _: len(span), take, fingerprint=True)
    send_short(group, targets, wire.BROADCAST, [span], fingerprint=True)


def _stream(span: memoryview, sources: list[Link], targets: list[Link]) -> Traffic:
    incoming = Incoming(wire.BROADCAST, [span])

    def available() -> int:
        return incoming.received if sources else len(span)

    outs = [OutPort(link, [Outgoing(wire.BROADCAST, [span], available)]) for link in targets]
    return Traffic([InPort(link, [incoming]) for link in sources], outs)
