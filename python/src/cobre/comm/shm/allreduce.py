"""Allreduce, in three ways, chosen by the length of the vectors. All fold in rank order.

- inline: the line carries the contribution; every rank folds everything.
- whole: a slot carries it; every rank folds everything.
- blocks: the vector is cut into parts of a slot, each part into one block per rank. Every rank contributes
  a part, rank b folds block b, and every rank collects the blocks. A rank contributes the next part before
  it folds this one, and collects the blocks of a part after folding its own block of the next.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..arrays import INT32, REDUCE_OPS, Array
from ..checks import Pair
from ..fingerprint import ALLREDUCE, encode_call
from ..fold import fold
from .group import Group
from .layout import INLINE_BYTES, SLOT_BYTES

#: Up to this length, one step with R times the folding is faster than two steps.
_WHOLE_BYTES: Final = 16_384


def allreduce(group: Group, pair: Pair, op: str) -> None:
    """Folds all ``send`` into ``recv``."""
    group.open(encode_call(ALLREDUCE, pair.type.code, REDUCE_OPS[op]), pair.send.size)
    if pair.send.nbytes <= INLINE_BYTES:
        _reduce_inline(group, pair, op)
    elif pair.send.nbytes <= _WHOLE_BYTES:
        _reduce_whole(group, pair, op)
    else:
        _Blocks(group, pair, op).run()


def _reduce_inline(group: Group, pair: Pair, op: str) -> None:
    dtype, count = pair.type.dtype, pair.send.size
    step = group.next()
    group.inline(group.rank, step, dtype, count)[:] = pair.send
    group.announce(step)
    group.meet(step)
    operands = [group.inline(r, step, dtype, count) for r in range(group.size)]
    fold(operands, pair.recv, op)


def _reduce_whole(group: Group, pair: Pair, op: str) -> None:
    count = pair.send.size
    step = group.next_with_slot()
    group.slot(group.rank, step, pair.type)[:count] = pair.send
    group.announce(step)
    group.meet(step)
    operands = [group.slot(r, step, pair.type)[:count] for r in range(group.size)]
    fold(operands, pair.recv, op)


class _Blocks:
    """A long reduction, part by part."""

    def __init__(self, group: Group, pair: Pair, op: str) -> None:
        self._group = group
        self._send, self._recv, self._type = pair
        self._op = op
        self._part = SLOT_BYTES // pair.type.item_bytes

    def run(self) -> None:
        count, part = self._send.size, self._part
        contributed = self._contribute(0)
        folded = 0
        for at in range(0, count, part):
            step, before = contributed, folded
            if at + part < count:
                contributed = self._contribute(at + part)
            self._group.meet(step)
            folded = self._fold_own_block(step, at)
            if at > 0:
                self._collect(before, at - part)
        self._collect(folded, (count - 1) // part * part)

    def _bounds(self, block: int, at: int) -> tuple[int, int]:
        """The bounds of a block of the part at ``at``, which are multiples of 64 bytes."""
        count = min(self._part, self._send.size - at)
        grain = 64 // self._type.item_bytes
        grains = -(-count // grain)
        first, last = (grains * b // self._group.size * grain for b in (block, block + 1))
        return min(count, first), min(count, last)

    def _contribute(self, at: int) -> int:
        """Announces the step that carries this rank's part of the vector to the others."""
        group = self._group
        own = self._send[at : at + self._part]
        first, last = self._bounds(group.rank, at)
        step = group.next_with_slot()
        slot = group.slot(group.rank, step, self._type)
        slot[:first] = own[:first]
        slot[last : own.size] = own[last:]
        group.announce(step)
        return step

    def _fold_own_block(self, contributed: int, at: int) -> int:
        """Folds this rank's block of a contributed part and announces it; returns the step."""
        group = self._group
        first, last = self._bounds(group.rank, at)
        step = group.next_with_slot()
        if last > first:
            fold(
                [self._operand(r, contributed, at, first, last) for r in range(group.size)],
                group.slot(group.rank, step, self._type)[first:last],
                self._op,
            )
        group.announce(step)
        return step

    def _operand(self, rank: int, contributed: int, at: int, first: int, last: int) -> Array:
        if rank == self._group.rank:
            return self._send[at + first : at + last]
        return self._group.slot(rank, contributed, self._type)[first:last]

    def _collect(self, step: int, at: int) -> None:
        """Copies the blocks of all ranks of a part into place."""
        group = self._group
        for i in range(group.size):
            r = (group.rank + i) % group.size
            first, last = self._bounds(r, at)
            if r != group.rank:
                group.await_rank(r, step)
            if last > first:
                block = group.slot(r, step, self._type)[first:last]
                self._recv[at + first : at + last] = block


def have_all(group: Group, mine: bool) -> bool:
    """Collective: whether ``mine`` is true on every rank."""
    if group.size == 1:
        return mine
    every = np.empty(1, np.int32)
    allreduce(group, Pair(np.array([int(mine)], np.int32), every, INT32), "min")
    return bool(every[0] == 1)
