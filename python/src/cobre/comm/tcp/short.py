"""Short messages: one frame each way, after a fingerprint."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .group import Group
from .link import Link
from .wire import FINGERPRINT, HEADER_BYTES, data_header, op_bytes

SHORT_BYTES = 65_536
"""Results of up to this many bytes are sent as short messages; all ranks must use the same limit."""


def send_short(
    group: Group,
    links: Sequence[Link],
    tag: int,
    parts: Sequence[memoryview],
    *,
    fingerprint: bool,
    op: int = 0,
) -> None:
    """Sends a frame to each of the links, and returns when all are sent."""
    count = sum(len(part) for part in parts)
    head = (group.fingerprint if fingerprint else b"") + data_header(tag, op, count)
    for link in links:
        link.send(head, *parts)
    for link in links:
        group.finish_sending(link)


def receive_short(
    group: Group,
    links: Sequence[Link],
    tag: int,
    bytes_from: Callable[[int], int],
    take: Callable[[int, memoryview], None],
    *,
    fingerprint: bool,
) -> None:
    """Waits for a frame from each of the links, and calls ``take`` with its rank and payload.

    The payload is valid only during the call. It does not include the operation.
    """
    unchecked = {link.rank for link in links} if fingerprint else set()
    awaited = {link.rank: link for link in links}
    for link in links:
        link.is_expected = True
    while awaited:
        has_moved = False
        for link in list(awaited.values()):
            wanted = bytes_from(link.rank)
            payload = _payload(group, link, tag, wanted, unchecked)
            if payload is None and link.fill():
                has_moved = True
                payload = _payload(group, link, tag, wanted, unchecked)
            if payload is not None:
                has_moved = True
                link.is_expected = False
                del awaited[link.rank]
                take(link.rank, payload)
            elif link.has_ended:
                group.membership.fail_lost(link)
        if has_moved:
            group.waiting.moved()
        elif awaited:
            group.waiting.idle(lambda: list(awaited))


def _payload(
    group: Group, link: Link, tag: int, wanted: int, unchecked: set[int]
) -> memoryview | None:
    """The payload of the awaited frame, if it is complete."""
    membership = group.membership
    front = membership.front(link)
    if front == 0:
        return None
    if link.rank in unchecked:
        if front != FINGERPRINT:
            membership.fail_unintelligible(link)
        if not group.take_fingerprint(link):
            return None
        unchecked.discard(link.rank)
        front = membership.front(link)
        if front == 0:
            return None
    if front != tag:
        # A fingerprint shows which call the other side made instead.
        if front == FINGERPRINT and not group.take_fingerprint(link):
            return None
        membership.fail_unintelligible(link)
    head = HEADER_BYTES + op_bytes(tag)
    if link.frame_bytes(link.start) != head + wanted:
        membership.fail_unintelligible(link)
    if link.available < head + wanted:
        link.make_room(head + wanted)
        return None
    at = link.start + head
    link.start = at + wanted
    return link.input[at : at + wanted]
