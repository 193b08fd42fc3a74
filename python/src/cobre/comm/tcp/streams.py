"""Long messages: frames on several links at a time, from and to the callers' memory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from .group import Group
from .link import Link
from .wire import (
    ALLREDUCE_SEND,
    FINGERPRINT,
    FINGERPRINT_BYTES,
    HEADER_BYTES,
    MAX_FRAME_BYTES,
    data_header,
    op_bytes,
)

#: How much is passed on or folded at a time, so that the next rank can begin while more still arrives.
CHUNK_BYTES: Final = 131_072

#: The most frames that are read from one link in a row, because others may wait for their data.
_FRAMES_IN_A_ROW: Final = 4


class _Cursor:
    """The position of a message in its memory, which consists of spans."""

    def __init__(self, spans: Sequence[memoryview]) -> None:
        self._spans = [span for span in spans if len(span) > 0]
        self.total = sum(len(span) for span in self._spans)
        self.passed = 0
        self._index = 0
        self._at = 0

    @property
    def is_at_end(self) -> bool:
        return self.passed == self.total

    @property
    def rest(self) -> int:
        """The number of bytes left in the span."""
        return len(self._spans[self._index]) - self._at

    def window(self, count: int) -> memoryview:
        return self._spans[self._index][self._at : self._at + count]

    def advance(self, count: int) -> None:
        self.passed += count
        self._at += count
        if self.rest == 0:
            self._index += 1
            self._at = 0


class Incoming:
    """Frames of one tag that arrive on a link, and the memory they fill."""

    def __init__(
        self,
        tag: int,
        spans: Sequence[memoryview],
        limit: Callable[[], int] = lambda: sys.maxsize,
    ) -> None:
        """``limit`` returns how many bytes may arrive in total before earlier ones have been processed."""
        self.tag = tag
        self._cursor = _Cursor(spans)
        self._limit = limit

    @property
    def received(self) -> int:
        return self._cursor.passed

    @property
    def is_done(self) -> bool:
        return self._cursor.is_at_end

    @property
    def room(self) -> int:
        return self._cursor.total - self._cursor.passed

    def take(self, link: Link, most: int) -> int:
        """Moves up to ``most`` bytes from the link; returns their number."""
        cursor = self._cursor
        count = min(most, self._limit() - cursor.passed, cursor.rest)
        link.is_paused = count <= 0
        if link.is_paused:
            return 0
        if link.available > 0:
            moved = min(count, link.available)
            cursor.window(moved)[:] = link.input[link.start : link.start + moved]
            link.start += moved
        else:
            moved = link.receive_into(cursor.window(count))
        if moved > 0:
            cursor.advance(moved)
        return moved


class Outgoing:
    """Frames of one tag that are sent on a link as soon as their bytes are ``available``."""

    def __init__(
        self, tag: int, spans: Sequence[memoryview], available: Callable[[], int], op: int = 0
    ) -> None:
        self._tag = tag
        self._cursor = _Cursor(spans)
        self._available = available
        self._op = op

    @property
    def is_done(self) -> bool:
        return self._cursor.is_at_end

    def send_next(self, link: Link, prefix: bytes) -> bool:
        """Starts the next frame if all its bytes are available."""
        cursor = self._cursor
        if cursor.is_at_end:
            return False
        count = min(cursor.rest, self._available() - cursor.passed, MAX_FRAME_BYTES)
        if count < cursor.rest:
            count -= count % CHUNK_BYTES
            if count <= 0:
                return False
        link.send(prefix + data_header(self._tag, self._op, count), cursor.window(count))
        cursor.advance(count)
        return True


class InPort:
    """The incoming data of one link: the fingerprint, then frames."""

    def __init__(self, link: Link, streams: Sequence[Incoming]) -> None:
        self.link = link
        self._streams = streams
        self._frame_left = 0
        self._current: Incoming | None = None
        self._needs_fingerprint = True

    @property
    def is_done(self) -> bool:
        return not self._needs_fingerprint and all(stream.is_done for stream in self._streams)

    def proceed(self, group: Group) -> bool:
        """Takes what has arrived; returns whether there was anything."""
        link, has_moved = self.link, False
        for _ in range(_FRAMES_IN_A_ROW):
            while self._frame_left > 0 and self._current is not None:
                got = self._current.take(link, self._frame_left)
                if got == 0:
                    break
                has_moved = True
                self._frame_left -= got
            if self._frame_left > 0 or self.is_done or not self._next_frame(group):
                break
        # The rest of a link that has ended may be a part of a header.
        is_stuck = not (has_moved or link.is_paused or self.is_done)
        if link.has_ended and is_stuck:
            group.membership.fail_lost(link)
        return has_moved

    def _next_frame(self, group: Group) -> bool:
        """Reads the next header and nothing more; returns whether a data frame begins."""
        link, membership = self.link, group.membership
        while True:
            front = membership.front(link)
            needed = self._needed_bytes(front)
            if link.available < needed:
                link.make_room(needed)
                if not link.fill(needed - link.available):
                    return False
                continue
            if front == 0:
                continue
            if front == FINGERPRINT:
                group.take_fingerprint(link)
                if not self._needs_fingerprint:
                    membership.fail_unintelligible(link)
                self._needs_fingerprint = False
                if self.is_done:
                    return False
                continue
            count = (link.frame_bytes(link.start) or 0) - HEADER_BYTES - op_bytes(front)
            stream = next((one for one in self._streams if one.tag == front), None)
            if stream is None or self._needs_fingerprint or not 1 <= count <= stream.room:
                membership.fail_unintelligible(link)
            link.start += HEADER_BYTES + op_bytes(front)
            self._current = stream
            self._frame_left = count
            return True

    def _needed_bytes(self, front: int) -> int:
        """The number of bytes that must be in the input before the frame at its front can be handled."""
        if front == FINGERPRINT:
            return FINGERPRINT_BYTES
        if front == ALLREDUCE_SEND:
            return HEADER_BYTES + 1
        # Nothing yet, or a part of a control frame.
        if front == 0:
            return self.link.frame_bytes(self.link.start) or HEADER_BYTES
        return HEADER_BYTES


class OutPort:
    """The outgoing data of one link: the fingerprint, then the streams in order."""

    def __init__(self, link: Link, streams: Sequence[Outgoing]) -> None:
        self.link = link
        self._streams = streams
        self._has_begun = False

    @property
    def is_done(self) -> bool:
        if not self._has_begun or self.link.is_sending:
            return False
        return all(stream.is_done for stream in self._streams)

    def proceed(self, group: Group) -> bool:
        """Sends what it can; returns whether anything was sent."""
        link, has_moved = self.link, False
        for _ in range(_FRAMES_IN_A_ROW):
            if link.is_sending:
                has_moved = link.push() or has_moved
                # If this collective still reads from the link, its last frames come after that data.
                if link.is_deaf and not link.is_expected:
                    group.membership.fail_lost(link)
                if link.is_sending:
                    break
            if not self._begin_frame(group.fingerprint):
                break
            has_moved = True
        return has_moved

    def _begin_frame(self, fingerprint: bytes) -> bool:
        prefix = b"" if self._has_begun else fingerprint
        for stream in self._streams:
            if stream.send_next(self.link, prefix):
                self._has_begun = True
                return True
        if self._has_begun:
            return False
        self._has_begun = True
        self.link.send(fingerprint)
        return True


class Traffic(NamedTuple):
    """The data of one collective."""

    ins: Sequence[InPort]
    outs: Sequence[OutPort]
    #: Processes what has arrived; returns whether there was something to do.
    work: Callable[[], bool] = lambda: False


def run(group: Group, traffic: Traffic) -> None:
    """Moves all data of a collective."""
    for port in traffic.ins:
        port.link.is_expected = True
    try:
        while not _move(group, traffic):
            pass
    finally:
        for port in traffic.ins:
            port.link.is_expected = port.link.is_paused = False


def _move(group: Group, traffic: Traffic) -> bool:
    """One round; returns whether everything is done."""
    has_moved, is_done = False, True
    for out_port in traffic.outs:
        if not out_port.is_done:
            has_moved = out_port.proceed(group) or has_moved
            is_done = is_done and out_port.is_done
    for in_port in traffic.ins:
        if not in_port.is_done:
            has_moved = in_port.proceed(group) or has_moved
            in_port.link.is_expected = not in_port.is_done
            is_done = is_done and in_port.is_done
    if traffic.work():
        has_moved, is_done = True, False
    if is_done:
        return True
    if has_moved:
        group.waiting.moved()
    else:
        ports: list[InPort | OutPort] = [*traffic.ins, *traffic.outs]
        group.waiting.idle(lambda: sorted({p.link.rank for p in ports if not p.is_done}))
    return False
