"""Broadcast: the root announces steps that carry the data, the others announce empty ones and read.

The first of a kind of call is a meeting, so that a mismatch fails on every rank at once. When a rank
repeats the call it made before, it waits for nobody but the root.
"""

from __future__ import annotations

from ..arrays import Array, ArrayType
from ..fingerprint import BROADCAST, encode_call
from .group import Group
from .layout import INLINE_BYTES, SLOT_BYTES


def broadcast(group: Group, buf: Array, array_type: ArrayType, root: int) -> None:
    """Everybody has the root's bytes in ``buf`` afterwards."""
    is_repeated = group.open(encode_call(BROADCAST, array_type.code, 0, root), buf.size)
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
