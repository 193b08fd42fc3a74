"""This rank as a member of the group: it watches the others and reports failures to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

from ..abort import ABORT_EXCEPTION, ABORT_MISMATCH, ABORT_MISSING, AbortNotice
from ..errors import CollectiveFailed
from ..fingerprint import operation_of
from ..standing import Member
from ..stories import (
    MISMATCH_ADVICE,
    ComparedCall,
    story_of_closing,
    story_of_mismatch,
    story_of_timeout,
    who,
)
from . import posix
from .layout import RING, Layout
from .memory import SharedMemory
from .records import Records


class ShmMembership(Member):
    """Knows which ranks are missing, and why."""

    def __init__(
        self,
        memory: SharedMemory,
        layout: Layout,
        rank: int,
        is_alive: Callable[[int], bool],
    ) -> None:
        self.rank = rank
        self.size = layout.size
        self.records = Records(memory, layout)
        self._memory = memory
        self._layout = layout
        self._is_alive = is_alive
        super().__init__()

    def close(self) -> None:
        if self._standing.is_closed:
            return
        if self.is_open:
            self.records.write_closed(self.rank)
        self._standing.close()
        self._wake_everybody()

    def abandon(self, reason: str) -> None:
        if not self.is_open:
            return
        self._standing.break_off()
        text = f"rank {self.rank} ended: {reason}"
        self._tell(AbortNotice(ABORT_EXCEPTION, (self.rank,), text))

    def check_peers(self, call: int, awaited: Sequence[int]) -> None:
        """Raises if a rank has given up, or if one of ``awaited`` has died or left."""
        for r in range(self.size):
            if r != self.rank:
                self.fail_if_aborted(call, r)
        closed = [r for r in awaited if self.records.has_closed(r)]
        if closed:
            self._fail_missing(call, closed, story_of_closing(closed))
        dead = [r for r in awaited if not self._is_alive(r)]
        if dead:
            pids = ", ".join(str(self.records.pid(r)) for r in dead)
            self._fail_missing(call, dead, f"{who(dead)} died (pid {pids})")

    def fail_if_aborted(self, call: int, rank: int) -> None:
        """Raises if a rank has given up, because data read from its memory is then not reliable."""
        if self.records.has_aborted(rank):
            self._fail_after(call, rank)

    def fail_timeout(self, call: int, awaited: Sequence[int], seconds: float) -> NoReturn:
        """Ranks did not come in time."""
        self._fail_missing(call, awaited, story_of_timeout(awaited, seconds, "shm"))

    def fail_mismatch(self, mine: ComparedCall, other: ComparedCall) -> NoReturn:
        """Fails because another rank made a different call."""
        text = story_of_mismatch(mine, other)
        notice = AbortNotice(ABORT_MISMATCH, (), text)
        self._fail(mine.call, f"{text}. {MISMATCH_ADVICE}", notice)

    def fail_unreadable(self, call: int, other: int, error: OSError) -> NoReturn:
        """Fails because another rank's memory, which was readable at first, cannot be read any more."""
        text = f"the memory of rank {other} could not be read ({error.strerror})"
        self._fail_missing(call, [other], text)

    def _fail_missing(self, call: int, missing_ranks: Sequence[int], text: str) -> NoReturn:
        self._fail(call, f"{text}.", AbortNotice(ABORT_MISSING, tuple(missing_ranks), text))

    def _fail_after(self, call: int, other: int) -> NoReturn:
        """Fails because another rank has given up. Its reason is reported here, too, so that all ranks name the same."""
        notice = self.records.read_abort(other)
        advice = f" {MISMATCH_ADVICE}" if notice.code == ABORT_MISMATCH else ""
        self._fail(call, f"{notice.text} (as rank {other} found).{advice}", notice)

    def _fail(self, call: int, reason: str, notice: AbortNotice) -> NoReturn:
        operation = operation_of(call)
        failure = CollectiveFailed(operation, "shm", self.rank, reason, notice.missing_ranks)
        self._standing.break_off(failure)
        self._tell(notice)
        raise failure

    def _tell(self, notice: AbortNotice) -> None:
        self.records.write_abort(self.rank, notice)
        self._wake_everybody()

    def _wake_everybody(self) -> None:
        """Wakes the sleepers on all lines, because it is not known on which line a rank sleeps. It happens only once."""
        for r in range(self.size):
            for line in range(RING):
                posix.futex_wake(self._memory.address + self._layout.line(r, line))
