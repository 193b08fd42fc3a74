"""What a rank does while no data moves: it looks again, sleeps, and gives up in the end."""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Sequence
from typing import Final

from ..deadline import Deadline
from ..fingerprint import operation_of
from ..processors import CoreKeeper
from ..stories import warn_of_waiting
from .membership import TcpMembership

#: How often to look before sleeping, if every rank has a core: waking up takes longer than a round trip.
_LOOKS: Final = 100

#: How often a rank that keeps its core looks between two looks at the clock.
_ROUND: Final = 20

#: Sleeps are bounded, so that deadlines are checked; they are shorter while missing ranks are determined.
_SLEEP_SECS: Final = 0.1
_SHORT_SLEEP_SECS: Final = 0.02

#: How long before the deadline rank 0 starts to ask which ranks are missing, so that all know it in time.
_LEAD_SECS: Final = 0.5
#: The fraction of the lead in which ranks may answer.
_ANSWERING: Final = 0.7
#: After the deadline a worker waits this fraction of the lead longer for the verdict of the coordinator.
_TELLING: Final = 0.1

#: The ranks from which data is expected.
Awaited = Callable[[], Sequence[int]]


class Waiting:
    """The waiting of one rank."""

    def __init__(
        self,
        membership: TcpMembership,
        has_core_for_all: bool,
        keeper: CoreKeeper | None,
        timeout_secs: float,
    ) -> None:
        self._membership = membership
        self._looks = _LOOKS if has_core_for_all else 0
        self._deadline = Deadline(timeout_secs)
        self._lead = min(_LEAD_SECS, timeout_secs / 2)
        self._idles = 0
        self._keeper = keeper
        self._is_keeping = False
        self._is_patient = keeper is not None
        self._inquired_at: float | None = None

    def open(self) -> None:
        """Begins a new collective with a new deadline."""
        self.moved()
        self._deadline.reset()

    def moved(self) -> None:
        """Data has moved, so more will probably follow soon."""
        self._idles = 0
        self._is_keeping = False
        self._is_patient = self._keeper is not None

    def idle(self, awaited: Awaited) -> None:
        """No data has moved. Returns when it is worth looking again."""
        poll = self._gather()
        while self._idles < self._looks:
            self._idles += 1
            if poll.poll(0):
                return
        if self._keeper is not None and self._keep_looking(self._keeper, poll, awaited):
            return
        if self._deadline.start():
            self._inquired_at = None
            self._membership.is_asked = False
        longest = _SLEEP_SECS if self._inquired_at is None else _SHORT_SLEEP_SECS
        poll.poll(1000 * min(longest, self._lead / 5))
        self._membership.watch()
        self._check_time(awaited)

    def _keep_looking(self, keeper: CoreKeeper, poll: select.poll, awaited: Awaited) -> bool:
        """Looks for as long as the keeper advises; whether something can be moved."""
        if not self._is_keeping:
            keeper.begin()
        self._is_keeping = True
        while self._is_patient:
            for _ in range(_ROUND):
                if poll.poll(0):
                    return True
            self._is_patient = keeper.advise(awaited) == "look"
        return False

    def _gather(self) -> select.poll:
        """The events to wait for: data that can arrive, and room for data that has to be sent."""
        poll = select.poll()
        for link in self._membership.links:
            events = 0
            if not (link.has_ended or link.is_full or link.is_paused):
                events |= select.POLLIN
            if link.is_sending and not link.is_deaf:
                events |= select.POLLOUT
            if events:
                poll.register(link.socket, events)
        return poll

    def _check_time(self, awaited: Awaited) -> None:
        membership = self._membership
        now = time.monotonic()
        elapsed = self._deadline.elapsed
        if self._deadline.is_warning_due(elapsed):
            operation = operation_of(membership.call)
            warn_of_waiting(membership.rank, elapsed, operation, awaited())
        if membership.rank == 0:
            self._judge(now, elapsed, awaited)
        else:
            self._ask_for_judgement(now, elapsed)

    def _judge(self, now: float, elapsed: float, awaited: Awaited) -> None:
        """Asks all workers, because the rank for which this one waits may itself wait for another."""
        membership = self._membership
        if self._inquired_at is None:
            if elapsed > self._deadline.timeout_secs - self._lead or membership.is_asked:
                membership.inquire()
                self._inquired_at = now
            return
        if now - self._inquired_at < _ANSWERING * self._lead:
            return
        ranks = [link.rank for link in membership.links]
        silent = [rank for rank in ranks if rank not in membership.answered]
        membership.fail_timeout(silent or awaited(), self._deadline.seconds_of(elapsed))

    def _ask_for_judgement(self, now: float, elapsed: float) -> None:
        if elapsed <= self._deadline.timeout_secs - self._lead:
            return
        if self._inquired_at is None:
            self._membership.tell_waiting(self._membership.links[0])
            self._inquired_at = now
        elif elapsed > self._deadline.timeout_secs + _TELLING * self._lead:
            self._membership.fail_timeout([0], self._deadline.seconds_of(elapsed))
