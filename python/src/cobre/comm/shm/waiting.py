"""Waiting for a rank's step: spin, yield, then sleep; give up when the group is broken."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from ..deadline import Deadline
from ..fingerprint import MASK, is_reached, operation_of
from ..processors import Advice, CoreKeeper
from ..stories import warn_of_waiting
from . import posix
from .layout import LINE_STEP, LINE_WORDS, RING, Layout
from .membership import ShmMembership
from .memory import SharedMemory

#: Sleeps are bounded, so that a lost wake-up costs little and dead ranks are found soon.
_SLEEP_SECS: Final = 0.02

#: How often a rank looks and yields before it sleeps, with and without a core for every rank. A look takes
#: Python a hundred times as long as TypeScript, so there are fewer of them.
_PATIENT: Final = (200, 300)
_BRIEF: Final = (3, 30)

#: How often a rank that keeps its core looks between two looks at the clock.
_ROUND: Final = 50


class Waiting:
    """The waiting of one rank."""

    def __init__(
        self,
        memory: SharedMemory,
        layout: Layout,
        membership: ShmMembership,
        has_core_for_all: bool,
        keeper: CoreKeeper | None,
        timeout_secs: float,
    ) -> None:
        self.membership = membership
        self._words = memory.words
        self._address = memory.address
        self._layout = layout
        self._sleep_word = layout.sleep_word(membership.rank) // 4
        self._looks, self._yields = _PATIENT if has_core_for_all else _BRIEF
        #: Set where every rank has a core to itself.
        self._keeper = keeper
        self._deadline = Deadline(timeout_secs)

    def open(self) -> None:
        """A new collective begins, and with it a new deadline."""
        self._deadline.reset()

    def until_announced(self, rank: int, step: int, call: int) -> None:
        """Returns when ``rank``'s line shows ``step`` or a later one."""
        words, word = self._words, self._layout.line(rank, step) // 4
        for _ in range(self._looks):
            if is_reached(words[word], step):
                return
        advice = "let go" if self._keeper is None else self._look(self._keeper, word, step)
        if advice == "look":
            return
        if advice == "let go":
            for _ in range(self._yields):
                os.sched_yield()
                if is_reached(words[word], step):
                    return
        self._sleep_until_announced(rank, word, step, call)

    def _look(self, keeper: CoreKeeper, word: int, step: int) -> Advice:
        """Looks for as long as the keeper advises; ``look`` if the step has been announced."""
        words = self._words
        keeper.begin()
        while True:
            for _ in range(_ROUND):
                if is_reached(words[word], step):
                    return "look"
            advice = keeper.advise(lambda: self._not_yet_at(step))
            if advice != "look":
                return advice

    def _sleep_until_announced(self, rank: int, word: int, step: int, call: int) -> None:
        words = self._words
        self._deadline.start()
        while True:
            words[self._sleep_word] = rank + 1
            try:
                # A rank that announces without a fence may have looked for sleepers before its
                # announcement became visible. After this barrier, one of the two sees the other.
                posix.barrier_everywhere()
                seen = words[word]
                if not is_reached(seen, step) and not self.membership.records.has_aborted(rank):
                    posix.futex_wait(self._address + 4 * word, seen, _SLEEP_SECS)
            finally:
                words[self._sleep_word] = 0
            if is_reached(words[word], step):
                return
            self._check_group(word, step, call)

    def _check_group(self, word: int, step: int, call: int) -> None:
        deadline = self._deadline
        elapsed = deadline.elapsed
        awaited = self._not_yet_at(step)
        self.membership.check_peers(call, awaited)
        if elapsed > deadline.timeout_secs:
            # It may have come while the others were looked at, or this rank itself was stopped.
            if is_reached(self._words[word], step):
                return
            late = self._furthest_behind(awaited, step)
            self.membership.fail_timeout(call, late, deadline.seconds_of(elapsed))
        if deadline.is_warning_due(elapsed):
            late = self._furthest_behind(awaited, step)
            warn_of_waiting(self.membership.rank, elapsed, operation_of(call), late)

    def _not_yet_at(self, step: int) -> list[int]:
        """All ranks that have not announced the step."""
        own, layout = self.membership.rank, self._layout
        lines = ((r, layout.line(r, step) // 4) for r in range(layout.size) if r != own)
        return [r for r, word in lines if not is_reached(self._words[word], step)]

    def _furthest_behind(self, missing: Sequence[int], step: int) -> list[int]:
        """Of the ranks that have not announced the step, those that wait for no other.

        A rank waits only for steps up to its own. So the ranks with the earliest last step wait for no other rank, and the
        rest may wait for them.
        """
        lags = [self._lag_of(rank, step) for rank in missing]
        return [rank for rank, lag in zip(missing, lags, strict=True) if lag == max(lags)]

    def _lag_of(self, rank: int, step: int) -> int:
        """How many steps a rank is behind a step."""
        first = self._layout.line(rank, 0) // 4 + LINE_STEP
        steps: Sequence[int] = self._words[first : first + RING * LINE_WORDS : LINE_WORDS].tolist()
        return min(RING, *((step - announced) & MASK for announced in steps))
