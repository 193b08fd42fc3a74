"""What a rank does while nothing moves: looks again, sleeps, and gives up in the end."""

from __future__ import annotations

import select
import time
from collections.abc import Callable, Sequence
from typing import Final

from ..fingerprint import operation_of
from ..stories import warn_of_waiting
from .membership import TcpMembership

#: With a core for every rank of this machine, being woken takes longer than a round trip.
_LOOKS: Final = 100

#: A sleep is bounded, so that clocks are looked at; more often while it is found out who is missing.
_SLEEP_SECS: Final = 0.1
_SHORT_SLEEP_SECS: Final = 0.02

#: So long before the deadline it begins to be found out who is missing, so that all know it then.
_LEAD_SECS: Final = 0.5
#: The part of that time in which ranks may answer.
_ANSWERING: Final = 0.7
#: After the deadline, a worker gives the coordinator this part of it more to tell what it found.
_TELLING: Final = 0.1

#: The ranks that something is expected from.
Awaited = Callable[[], Sequence[int]]


class Waiting:
    """The waiting of one rank."""

    def __init__(
        self, membership: TcpMembership, has_core_for_all: bool, timeout_secs: float
    ) -> None:
        self._membership = membership
        self._looks = _LOOKS if has_core_for_all else 0
        self._timeout = timeout_secs
        self._lead = min(_LEAD_SECS, timeout_secs / 2)
        self._idles = 0
        self._started_at: float | None = None
        self._has_warned = False
        self._inquired_at: float | None = None

    def open(self) -> None:
        """A new collective begins, and with it a new deadline."""
        self._idles = 0
        self._started_at = None

    def moved(self) -> None:
        """Something has moved: the next thing will probably do so soon."""
        self._idles = 0

    def idle(self, awaited: Awaited) -> None:
        """Nothing has moved. Returns when it is worth looking again."""
        poll = self._gather()
        while self._idles < self._looks:
            self._idles += 1
            if poll.poll(0):
                return
        if self._started_at is None:
            # The clock of a collective starts when it first has to sleep.
            self._started_at = time.monotonic()
            self._has_warned = False
            self._inquired_at = None
            self._membership.is_asked = False
        longest = _SLEEP_SECS if self._inquired_at is None else _SHORT_SLEEP_SECS
        poll.poll(1000 * min(longest, self._lead / 5))
        self._membership.watch()
        self._check_time(self._started_at, awaited)

    def _gather(self) -> select.poll:
        """What there is to wait for: everything that can still come, and whatever is to go out."""
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

    def _check_time(self, started_at: float, awaited: Awaited) -> None:
        membership = self._membership
        now = time.monotonic()
        elapsed = now - started_at
        if not self._has_warned and elapsed > self._timeout / 2:
            self._has_warned = True
            operation = operation_of(membership.call)
            warn_of_waiting(membership.rank, elapsed, operation, awaited())
        if membership.rank == 0:
            self._judge(now, elapsed, awaited)
        else:
            self._ask_for_judgement(now, elapsed)

    def _judge(self, now: float, elapsed: float, awaited: Awaited) -> None:
        """Who is late is not who this rank waits for: that one may wait itself. So all are asked."""
        membership = self._membership
        if self._inquired_at is None:
            if elapsed > self._timeout - self._lead or membership.is_asked:
                membership.inquire()
                self._inquired_at = now
            return
        if now - self._inquired_at < _ANSWERING * self._lead:
            return
        ranks = [link.rank for link in membership.links]
        silent = [rank for rank in ranks if rank not in membership.answered]
        membership.fail_timeout(silent or awaited(), self._timeout)

    def _ask_for_judgement(self, now: float, elapsed: float) -> None:
        if elapsed <= self._timeout - self._lead:
            return
        if self._inquired_at is None:
            self._membership.tell_waiting(self._membership.links[0])
            self._inquired_at = now
        elif elapsed > self._timeout + _TELLING * self._lead:
            self._membership.fail_timeout([0], self._timeout)
