"""Waiting for a rank's step: looks, yields, then sleeps; gives up when the group is broken."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Final

from ..fingerprint import MASK, is_reached, operation_of
from ..stories import warn_of_waiting
from . import posix
from .layout import LINE_STEP, LINE_WORDS, RING, Layout
from .membership import ShmMembership
from .memory import SharedMemory

#: A sleep is bounded: a lost wake-up costs a moment, and the dead are found out soon.
_SLEEP_SECS: Final = 0.02

#: How often a rank looks and yields before it sleeps, with and without a core for every rank. A look of
#: Python takes a hundred times as long as one of the TypeScript ranks: fewer are as much time.
_PATIENT: Final = (200, 300)
_BRIEF: Final = (3, 30)


class Waiting:
    """The waiting of one rank."""

    def __init__(
        self,
        memory: SharedMemory,
        layout: Layout,
        membership: ShmMembership,
        has_core_for_all: bool,
        timeout_secs: float,
    ) -> None:
        self.membership = membership
        self._words = memory.words
        self._address = memory.address
        self._layout = layout
        self._sleep_word = layout.sleep_word(membership.rank) // 4
        self._looks, self._yields = _PATIENT if has_core_for_all else _BRIEF
        self._timeout = timeout_secs
        self._started_at: float | None = None
        self._has_warned = False

    def open(self) -> None:
        """A new collective begins, and with it a new deadline."""
        self._started_at = None

    def until_announced(self, rank: int, step: int, call: int) -> None:
        """Returns when ``rank``'s line shows ``step`` or a later one."""
        words, word = self._words, self._layout.line(rank, step) // 4
        for _ in range(self._looks):
            if is_reached(words[word], step):
                return
        for _ in range(self._yields):
            os.sched_yield()
            if is_reached(words[word], step):
                return
        self._sleep_until_announced(rank, word, step, call)

    def _sleep_until_announced(self, rank: int, word: int, step: int, call: int) -> None:
        words = self._words
        if self._started_at is None:
            # The clock of a collective starts when it first has to sleep.
            self._started_at = time.monotonic()
            self._has_warned = False
        while True:
            words[self._sleep_word] = rank + 1
            try:
                # A rank that announces without a fence may have looked for sleepers before its
                # announcement could be seen. After this, one of the two sees the other.
                posix.barrier_everywhere()
                seen = words[word]
                if not is_reached(seen, step) and not self.membership.records.has_aborted(rank):
                    posix.futex_wait(self._address + 4 * word, seen, _SLEEP_SECS)
            finally:
                words[self._sleep_word] = 0
            if is_reached(words[word], step):
                return
            self._check_group(self._started_at, word, step, call)

    def _check_group(self, started_at: float, word: int, step: int, call: int) -> None:
        elapsed = time.monotonic() - started_at
        awaited = self._not_yet_at(step)
        self.membership.check_peers(call, awaited)
        if elapsed > self._timeout:
            # It may have come while the others were looked at, or this rank itself was stopped.
            if is_reached(self._words[word], step):
                return
            self.membership.fail_timeout(call, self._furthest_behind(awaited, step), self._timeout)
        if not self._has_warned and elapsed > self._timeout / 2:
            self._has_warned = True
            late = self._furthest_behind(awaited, step)
            warn_of_waiting(self.membership.rank, elapsed, operation_of(call), late)

    def _not_yet_at(self, step: int) -> list[int]:
        """All ranks that have not announced the step."""
        own, layout = self.membership.rank, self._layout
        lines = ((r, layout.line(r, step) // 4) for r in range(layout.size) if r != own)
        return [r for r, word in lines if not is_reached(self._words[word], step)]

    def _furthest_behind(self, missing: Sequence[int], step: int) -> list[int]:
        """Of those who have not announced the step, the ones who wait for nobody.

        A rank waits only for steps up to its own, so those with the earliest last step can go on; whoever is
        before them may wait for them.
        """
        lags = [self._lag_of(rank, step) for rank in missing]
        return [rank for rank, lag in zip(missing, lags, strict=True) if lag == max(lags)]

    def _lag_of(self, rank: int, step: int) -> int:
        """How many steps lie between the last one that the rank has announced and a later one."""
        first = self._layout.line(rank, 0) // 4 + LINE_STEP
        steps: Sequence[int] = self._words[first : first + RING * LINE_WORDS : LINE_WORDS].tolist()
        return min(RING, *((step - announced) & MASK for announced in steps))
