"""This rank's side of a group: it announces steps and waits for those of others.

A rank announces at most three steps beyond one that it still reads. So a rank that announces step s may
reuse the line of step s - 128 once all others have announced step s - 124 or a later one,
and the slot of step s - 16 once they have announced step s - 12.
"""

from __future__ import annotations

import threading
from typing import Any, Final

import numpy as np

from ..arrays import Array, ArrayType
from ..fingerprint import MASK, is_reached, stir_call
from ..stories import ComparedCall
from . import posix
from .direct import NEVER
from .layout import (
    LINE_CALL,
    LINE_HISTORY,
    LINE_LENGTH,
    LINE_PAYLOAD,
    LINE_STEP,
    RING,
    SLOT_BYTES,
    SLOTS,
    Layout,
)
from .memory import SharedMemory
from .staging import Staging
from .waiting import Waiting

#: A rank may announce this many further steps while it still reads an older one.
READING_LAG: Final = 3

_LINES_AHEAD: Final = RING - READING_LAG
_SLOTS_AHEAD: Final = SLOTS - READING_LAG


class Group:
    """The operations of which the collectives consist."""

    def __init__(
        self,
        memory: SharedMemory,
        layout: Layout,
        rank: int,
        first_step: int,
        waiting: Waiting,
        needs_fence: bool,
    ) -> None:
        self.rank = rank
        self.size = layout.size
        #: From how many bytes on other ranks' memory is read directly; the same on all ranks.
        self.direct_min_bytes = NEVER
        self.staging = Staging(layout.size)
        #: The present call of this rank.
        self.call = 0
        self._memory = memory
        self._layout = layout
        self._waiting = waiting
        self._step = first_step
        #: The last step that all others are known to have announced.
        self._met = first_step
        self._length = 0
        self._history = 0
        #: Taking a lock is a full memory barrier.
        self._fence = threading.Lock() if needs_fence else None
        self._sleep_words = [layout.sleep_word(r) // 4 for r in range(layout.size)]

    def open(self, call: int, length: int, extra: int = 0) -> bool:
        """Opens a collective; returns whether the call is the same as the one before."""
        is_repeated = call == self.call and length == self._length
        self.call = call
        self._length = length
        self._history = stir_call(self._history, call, length, extra)
        self._waiting.open()
        return is_repeated

    def next(self) -> int:
        """The next step. When it returns, the step's line is free to be written."""
        step = self._step + 1 & MASK
        # Wait until half of the lines are free, although one would do, so that this happens seldom.
        if is_reached(step, self._met + _LINES_AHEAD):
            self._await_all(step - RING // 2 & MASK)
        return step

    def next_with_slot(self) -> int:
        """The next step. When it returns, the step's line and slot are free to be written."""
        step = self._step + 1 & MASK
        if is_reached(step, self._met + _SLOTS_AHEAD):
            self._await_all(step - SLOTS // 2 & MASK)
        return step

    def announce(self, step: int) -> None:
        """Announces a step whose payload is in place."""
        self._step = step
        words = self._memory.words
        line = self._layout.line(self.rank, step) // 4
        words[line + LINE_CALL] = self.call
        words[line + LINE_HISTORY] = self._history
        self._memory.doubles[(line + LINE_LENGTH) // 2] = float(self._length)
        # Last, because it publishes everything else.
        words[line + LINE_STEP] = step
        if self._fence is not None:
            with self._fence:
                pass
        mine = self.rank + 1
        for word in self._sleep_words:
            if words[word] == mine:
                posix.futex_wake(self._memory.address + 4 * line)
                return

    def meet(self, step: int) -> None:
        """Waits until all ranks have announced the step, and checks that all have made the same call."""
        for r in range(self.size):
            if r != self.rank:
                self.await_rank(r, step)
        self._note_met(step)

    def meet_all(self) -> None:
        """A meeting of all ranks in a step without a payload."""
        step = self.next()
        self.announce(step)
        self.meet(step)

    def await_rank(self, rank: int, step: int) -> None:
        """Waits until one rank has announced the step, and checks that it has made the same call."""
        self._waiting.until_announced(rank, step, self.call)
        words, line = self._memory.words, self._layout.line(rank, step) // 4
        if words[line + LINE_HISTORY] != self._history:
            length = self._memory.doubles[(line + LINE_LENGTH) // 2]
            self._waiting.membership.fail_mismatch(
                ComparedCall(self.rank, self.call, self._length),
                ComparedCall(rank, words[line + LINE_CALL], length),
            )

    def _await_all(self, step: int) -> None:
        for r in range(self.size):
            if r != self.rank:
                self._waiting.until_announced(r, step, self.call)
        self._note_met(step)

    def _note_met(self, step: int) -> None:
        if is_reached(step, self._met):
            self._met = step

    def inline(self, rank: int, step: int, dtype: np.dtype[Any], count: int) -> Array:
        """The elements that a rank's line carries for a step."""
        at = self._layout.line(rank, step) + 4 * LINE_PAYLOAD
        return self._memory.elements(dtype, at, count)

    def slot(self, rank: int, step: int, array_type: ArrayType) -> Array:
        """The elements of a rank's slot for a step."""
        at = self._layout.slot(rank, step)
        return self._memory.elements(array_type.dtype, at, SLOT_BYTES // array_type.item_bytes)

    def read_from(self, rank: int, remote: int, local: int, count: int) -> None:
        """Copies from an address in ``rank``'s memory to one in this rank's."""
        membership = self._waiting.membership
        try:
            posix.read_from(membership.records.pid(rank), remote, local, count)
        except OSError as error:
            membership.check_peers(self.call, [rank])
            membership.fail_unreadable(self.call, rank, error)
        # A rank that has given up may have reused its memory before it was read.
        membership.fail_if_aborted(self.call, rank)
