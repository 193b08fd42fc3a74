"""This rank as a member of the group: its links, control frames, and the reports of failures."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final, NoReturn

from ..abort import ABORT_EXCEPTION, ABORT_MISMATCH, ABORT_MISSING, AbortNotice
from ..errors import CollectiveFailed
from ..fingerprint import is_reached, operation_of
from ..standing import Member
from ..stories import (
    MISMATCH_ADVICE,
    ComparedCall,
    story_of_closing,
    story_of_mismatch,
    story_of_timeout,
)
from .link import Link
from .wire import (
    ABORT,
    HEADER_BYTES,
    INQUIRY,
    MAX_CONTROL_BYTES,
    SHUTDOWN,
    WAITING,
    decode_abort,
    encode_abort,
    frame,
    is_control,
    numbers_of,
    words,
)

#: How long a rank that leaves tries to tell the others, which may be slow on a busy machine.
_FAREWELL_SECS: Final = 1.0
_PAUSE_SECS: Final = 0.001


class TcpMembership(Member):
    """Handles control frames."""

    def __init__(self, rank: int, size: int, links: list[Link]) -> None:
        self.rank = rank
        self.size = size
        #: To rank 0, or, on rank 0, to every worker in the order of ranks.
        self.links = links
        #: The present call of this rank.
        self.call = 0
        self.length = 0
        self.sequence = 0
        self.history = 0
        #: On rank 0: the workers that answered the last inquiry, and whether a worker has run out of time.
        self.answered: set[int] = set()
        self.is_asked = False
        self._inquiry = 0
        super().__init__()

    def close(self) -> None:
        if self._standing.is_closed:
            return
        if self.is_open:
            self._tell_all(frame(SHUTDOWN))
        self._standing.close()
        for link in self.links:
            link.close()

    def abandon(self, reason: str) -> None:
        if not self.is_open:
            return
        self._standing.break_off()
        text = f"rank {self.rank} ended: {reason}"
        self._tell_all(encode_abort(AbortNotice(ABORT_EXCEPTION, (self.rank,), text)))

    def front(self, link: Link) -> int:
        """The tag of the first frame in the input that belongs to a collective, or 0.

        Control frames before it are handled.
        """
        while True:
            whole = link.frame_bytes(link.start)
            if whole is None:
                return 0
            tag = link.tag_at(link.start)
            if not is_control(tag):
                return tag
            if whole > HEADER_BYTES + MAX_CONTROL_BYTES:
                self.fail_unintelligible(link)
            if link.available < whole:
                link.make_room(whole)
                return 0
            payload = link.take_frame(whole)
            if tag == SHUTDOWN:
                link.has_left = True
            else:
                self._act(link, tag, payload)

    def watch(self) -> None:
        """Looks for failures on links from which the collective does not read."""
        for link in self.links:
            if link.is_expected:
                continue
            if not link.is_full:
                link.fill()
            self._scan(link)

    def _scan(self, link: Link) -> None:
        """Handles control frames behind data frames of later collectives."""
        at = max(link.scanned, link.start)
        while True:
            whole = link.frame_bytes(at)
            if whole is None or link.end - at < whole:
                break
            tag = link.tag_at(at)
            if is_control(tag) and tag != SHUTDOWN:
                self._act(link, tag, bytes(link.input[at + HEADER_BYTES : at + whole]))
            at += whole
        link.scanned = at

    def _act(self, link: Link, tag: int, payload: bytes) -> None:
        if tag == ABORT:
            self._fail_after(link.rank, decode_abort(payload))
        numbers = (*numbers_of(payload), 0, 0)
        if tag == INQUIRY:
            self.tell_waiting(link, numbers[0])
        elif tag == WAITING:
            self._hear_waiting(link.rank, numbers[0], numbers[1])

    def _hear_waiting(self, rank: int, sequence: int, inquiry: int) -> None:
        """An answer counts in any call; a rank that ran out of time counts only in the present one."""
        if inquiry == 0:
            self.is_asked = self.is_asked or is_reached(sequence, self.sequence)
        elif inquiry == self._inquiry:
            self.answered.add(rank)

    def tell_waiting(self, link: Link, inquiry: int = 0) -> None:
        """On a worker: answers an inquiry of the coordinator, or asks for one."""
        if not link.is_sending and not link.is_deaf:
            link.send(frame(WAITING, words(self.sequence, inquiry)))

    def inquire(self) -> None:
        """On rank 0: asks all workers whether they are waiting."""
        self.answered.clear()
        self._inquiry += 1
        for link in self.links:
            if not link.is_sending and not link.is_deaf:
                link.send(frame(INQUIRY, words(self._inquiry)))

    def fail_lost(self, link: Link) -> NoReturn:
        """Fails because the connection to an awaited rank has ended.

        Reads its last frames first, and those of others, because it may have left because of another rank.
        """
        while link.fill():
            pass
        self.front(link)
        self._scan(link)
        self.watch()
        story = (
            story_of_closing([link.rank])
            if link.has_left
            else f"the connection to rank {link.rank} was lost: it has died, or its machine cannot "
            "be reached"
        )
        self._fail_missing([link.rank], story)

    def fail_timeout(self, missing_ranks: Sequence[int], seconds: float) -> NoReturn:
        """Ranks did not come in time."""
        self._fail_missing(missing_ranks, story_of_timeout(missing_ranks, seconds, "tcp"))

    def fail_mismatch(self, other: ComparedCall) -> NoReturn:
        """Fails because another rank made a different call."""
        mine = ComparedCall(self.rank, self.call, self.length)
        self._fail_mismatched(story_of_mismatch(mine, other))

    def fail_unintelligible(self, link: Link) -> NoReturn:
        """Fails because a frame belongs to no call that this rank could be in."""
        text = f"rank {link.rank} sent what does not belong to the call of rank {self.rank}"
        self._fail_mismatched(text)

    def _fail_mismatched(self, text: str) -> NoReturn:
        self._fail(f"{text}. {MISMATCH_ADVICE}", AbortNotice(ABORT_MISMATCH, (), text))

    def _fail_missing(self, missing_ranks: Sequence[int], text: str) -> NoReturn:
        self._fail(f"{text}.", AbortNotice(ABORT_MISSING, tuple(missing_ranks), text))

    def _fail_after(self, other: int, notice: AbortNotice) -> NoReturn:
        """Fails because another rank has given up. Its reason is reported here, too, so that all ranks name the same."""
        advice = f" {MISMATCH_ADVICE}" if notice.code == ABORT_MISMATCH else ""
        self._fail(f"{notice.text} (as rank {other} found).{advice}", notice)

    def _fail(self, reason: str, notice: AbortNotice) -> NoReturn:
        operation = operation_of(self.call)
        failure = CollectiveFailed(operation, "tcp", self.rank, reason, notice.missing_ranks)
        self._standing.break_off(failure)
        self._tell_all(encode_abort(notice))
        raise failure

    def _tell_all(self, message: bytes) -> None:
        """Sends a frame to all links after the data that is being sent, and gives up after a moment.

        Incoming data is discarded. Otherwise two ranks that send to each other would wait for each other.
        """
        for link in self.links:
            link.send(message)
        deadline = time.monotonic() + _FAREWELL_SECS
        while time.monotonic() < deadline:
            busy = [link for link in self.links if link.is_sending and not link.is_deaf]
            if not busy:
                return
            if not any([link.push() for link in busy]):
                for link in busy:
                    link.discard()
                time.sleep(_PAUSE_SECS)
