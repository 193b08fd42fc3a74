"""Broadcast: the root announces steps that carry the data, the others announce empty ones and read.

A long array is read out of the root's memory, where that is allowed.

The first of a kind of call is a meeting, so that a mismatch fails on every rank at once. When a rank
repeats the call it made before, it waits for nobody but the root.
"""

from __future__ import annotations

from typing import Final

from ..arrays import Array, ArrayType
from ..fingerprint import BROADCAST, encode_call
from .direct import address_of, announce_address, read_address
from .group import Group
from .layout import INLINE_BYTES, SLOT_BYTES

#: Below, two copies by way of the slots are as fast as one by way of the kernel.
DIRECT_MIN_BYTES: Final = 131_072


def broadcast(group: Group, buf: Array, array_type: ArrayType, root: int) -> None:
    """Everybody has the root's bytes in ``buf`` afterwards."""
    is_repeated = group.open(encode_call(BROADCAST, array_type.code, 0, root), buf.size)
    if buf.nbytes >= max(group.direct_min_bytes, DIRECT_MIN_BYTES):
        _broadcast_directly(group, buf, root, is_repeated)
        return
    is_inline = buf.nbytes <= INLINE_BYTES and array_type.item_bytes >= 4
    part = SLOT_BYTES // array_type.item_bytes
    for at in range(0, max(1, buf.size), part):
        own = buf[at : at + part]
        step = group.next() if is_inline else group.next_with_slot()
        payload = (
            group.inline(root, step, array_type.dtype, own.size)
            if is_inline
            else group.slot(root, step, array_type)[: own.size]
        )
        if group.rank == root:
            payload[:] = own
        group.announce(step)
        if at == 0 and not is_repeated:
            group.meet(step)
        if group.rank != root:
            group.await_rank(root, step)
            own[:] = payload


def _broadcast_directly(group: Group, buf: Array, root: int, is_repeated: bool) -> None:
    """The others read the root's array where it is; only when all have may the root change it."""
    step = announce_address(group, buf)
    if not is_repeated:
        group.meet(step)
    if group.rank != root:
        group.await_rank(root, step)
        group.read_from(root, read_address(group, root, step), address_of(buf), buf.nbytes)
    done = group.next()
    group.announce(done)
    if group.rank == root:
        group.meet(done)
