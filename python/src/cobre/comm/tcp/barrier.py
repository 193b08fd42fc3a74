"""A meeting of all ranks in the open call. With two ranks, both send at once."""

from __future__ import annotations

from .group import Group
from .short import receive_short, send_short
from .wire import BARRIER_GO, BARRIER_READY


def meet(group: Group) -> None:
    """Returns when all ranks have made the same call."""
    links = group.links
    if group.rank > 0 or group.size == 2:
        send_short(group, links, BARRIER_READY, (), fingerprint=True)
    if group.rank > 0 and group.size > 2:
        receive_short(group, links, BARRIER_GO, _nothing, _ignore, fingerprint=False)
        return
    receive_short(group, links, BARRIER_READY, _nothing, _ignore, fingerprint=True)
    if group.size > 2:
        send_short(group, links, BARRIER_GO, (), fingerprint=False)


def _nothing(_rank: int) -> int:
    return 0


def _ignore(_rank: int, _payload: memoryview) -> None:
    return
