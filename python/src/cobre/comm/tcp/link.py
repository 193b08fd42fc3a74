"""A connection to one rank. It moves bytes and never blocks."""

from __future__ import annotations

import contextlib
import socket
from typing import Final, NamedTuple

from .wire import HEADER, HEADER_BYTES

#: The size of the input buffer; every short message fits into it.
INPUT_BYTES: Final = 131_072

#: The most parts that are passed to the kernel at once.
_MOST_PARTS: Final = 64


#: How often a link that is closed is emptied.
_MAX_DISCARDS: Final = 64


class _Unsent(NamedTuple):
    """What is to be sent. It is replaced as a whole, so that Ctrl-C finds the old one or the new one."""

    parts: list[memoryview]
    #: How many bytes of the parts the kernel has taken since.
    taken: list[int]


class Link:
    """A connection. Data that cannot be sent at once is kept by reference until ``push`` sends it."""

    def __init__(self, sock: socket.socket, rank: int, input_bytes: int = INPUT_BYTES) -> None:
        sock.setblocking(False)
        self.socket = sock
        self.rank = rank
        #: The input buffer; received data is from ``start`` to ``end``.
        self.input = memoryview(bytearray(input_bytes))
        self.start = 0
        self.end = 0
        #: The other side has closed the connection, or it broke.
        self.has_ended = False
        #: The other side has left with a Shutdown frame.
        self.has_left = False
        #: Nothing can be sent any more; the receiving direction will show why.
        self.is_deaf = False
        #: Whether the running collective reads from this link itself.
        self.is_expected = False
        #: Whether incoming data has to stay in the kernel for now.
        self.is_paused = False
        #: Control frames up to here have been handled, although other frames come before them.
        self.scanned = 0
        self._unsent = _Unsent([], [])

    @property
    def available(self) -> int:
        """The number of unused bytes in the input."""
        return self.end - self.start

    @property
    def is_full(self) -> bool:
        """Whether no more fits into the input."""
        return self.end - self.start == len(self.input)

    @property
    def is_sending(self) -> bool:
        """Whether there is data that is not sent yet."""
        return len(self._unsent.parts) > 0

    def fill(self, limit: int | None = None) -> bool:
        """Reads at most ``limit`` bytes into the input; returns whether anything arrived."""
        if self.has_ended:
            return False
        if self.start == self.end:
            self.start = self.end = self.scanned = 0
        elif self.end == len(self.input):
            self._compact()
        room = len(self.input) - self.end
        room = room if limit is None else min(limit, room)
        if room == 0:
            return False
        got = self.receive_into(self.input[self.end : self.end + room])
        self.end += got
        return got > 0

    def receive_into(self, target: memoryview) -> int:
        """Receives straight into memory, if the input is empty. Returns the number of bytes."""
        try:
            got = self.socket.recv_into(target)
        except BlockingIOError:
            return 0
        except OSError:
            got = 0
        if got == 0:
            self.has_ended = True
        return got

    def make_room(self, count: int) -> None:
        """Makes sure that ``count`` bytes from ``start`` on fit into the input."""
        if self.start + count > len(self.input):
            self._compact()

    def _compact(self) -> None:
        rest = bytes(self.input[self.start : self.end])
        self.input[: len(rest)] = rest
        self.scanned = max(0, self.scanned - self.start)
        self.start, self.end = 0, len(rest)

    def send(self, *parts: bytes | memoryview) -> None:
        """Starts sending. The memory must not change before everything is sent."""
        new = [memoryview(part) for part in parts if len(part) > 0]
        self._unsent = _Unsent([*self._settle(), *new], [])
        self.push()

    def push(self) -> bool:
        """Continues sending; returns whether anything was sent."""
        parts = self._settle()
        if not parts or self.is_deaf:
            return False
        try:
            # Ctrl-C raises between any two steps of Python. If it came before the result is stored, the others would get the same bytes
            # twice before they are told of it. So sending and storing are one step.
            self._unsent.taken.extend(map(self.socket.sendmsg, (parts[:_MOST_PARTS],)))
        except BlockingIOError:
            return False
        except OSError:
            self.is_deaf = True
            return False
        self._settle()
        return True

    def _settle(self) -> list[memoryview]:
        """Forgets what the kernel has taken; returns the rest."""
        parts, taken = self._unsent
        if not taken:
            return parts
        count, first = sum(taken), 0
        while first < len(parts) and count >= len(parts[first]):
            count -= len(parts[first])
            first += 1
        rest = parts[first:]
        if count > 0:
            rest[0] = rest[0][count:]
        self._unsent = _Unsent(rest, [])
        return rest

    def frame_bytes(self, at: int) -> int | None:
        """The length of the frame at ``at``, header included, if its header is complete."""
        if self.end - at < HEADER_BYTES:
            return None
        length: int = HEADER.unpack_from(self.input, at)[0]
        return HEADER_BYTES - 1 + length

    def tag_at(self, at: int) -> int:
        """The tag of the frame at ``at``."""
        return self.input[at + 4]

    def take_frame(self, count: int) -> bytes:
        """Takes a whole frame of ``count`` bytes from the input; returns its payload."""
        payload = bytes(self.input[self.start + HEADER_BYTES : self.start + count])
        self.start += count
        return payload

    def discard(self) -> None:
        """Discards the input. A stranger that never stops sending is not read for ever."""
        self.start = self.end
        for _ in range(_MAX_DISCARDS):
            if not self.fill():
                break
            self.start = self.end

    def close(self) -> None:
        """Closes the connection. Data that was sent still arrives."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)
        # With unread bytes the kernel would reset the connection instead of closing it.
        self.discard()
        self._unsent = _Unsent([], [])
        self.socket.close()
