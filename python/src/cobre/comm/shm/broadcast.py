"""Broadcast: the root announces steps that carry the data; the others announce empty steps and read.

A long array is read out of the root's memory, if that is allowed. The root then waits until all have read it.

A call that differs from the previous one begins with a meeting, so that a mismatch fails on every rank at once. In a
repeated call the others wait only for the root.
"""

from __future__ import annotations

from typing import Final

from ..arrays import Array, ArrayType
from ..fingerprint import BROADCAST, encode_call
from .direct import address_of, announce_address, read_address
from .group import Group
from .layout import INLINE_BYTES, SLOT_BYTES

#: For shorter arrays two copies through the slots are as fast as one through the kernel.
DIRECT_MIN_BYTES: Final = 131_072


def broadcast(group: Group, buf: Array, array_type: ArrayType, root: int) -> None:
    """Copies the root's bytes to ``buf`` on every rank."""
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
    """The others read the root's array in place. The root returns only when all have read it."""
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
