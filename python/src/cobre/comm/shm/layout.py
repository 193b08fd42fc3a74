"""The layout of a group's memory; docs/shm-protocol.md describes it."""

from __future__ import annotations

from typing import Final, NamedTuple

MAGIC: Final = (0x52424F43, 0x4D485345)
VERSION: Final = 5

# Words of the header (32 bits each).
HEADER_MAGIC: Final = 0
HEADER_VERSION: Final = 2
HEADER_SIZE: Final = 3
HEADER_TOTAL_BYTES: Final = 4
HEADER_FIRST_STEP: Final = 6
HEADER_READY: Final = 7
HEADER_STARTED: Final = 8
_HEADER_BYTES: Final = 4096

# Words of a rank's record.
RECORD_JOINED: Final = 0
RECORD_PID: Final = 1
RECORD_CLOSED: Final = 2
RECORD_ABORT: Final = 3
RECORD_TEXT_LENGTH: Final = 4
RECORD_REGISTERED: Final = 5
RECORD_TOKEN_ADDRESS: Final = 8
RECORD_TOKEN: Final = 10
RECORD_NAMESPACE: Final = 12
RECORD_MISSING: Final = 16
RECORD_TEXT: Final = 64
_RECORD_BYTES: Final = 1024
RECORD_TEXT_BYTES: Final = _RECORD_BYTES - 4 * RECORD_TEXT
MAX_RANKS: Final = 1024

#: How many lines a rank has, one a step.
RING: Final = 128
#: The number of slots of a rank.
SLOTS: Final = 16

# Words of a line. The number of the step is written last, because it publishes everything else.
LINE_STEP: Final = 0
LINE_CALL: Final = 1
LINE_HISTORY: Final = 2
LINE_LENGTH: Final = 4
LINE_PAYLOAD: Final = 6
LINE_WORDS: Final = 16
_LINE_BYTES: Final = 4 * LINE_WORDS
#: The lines of a rank, with its sleep word.
_OWN_LINES_BYTES: Final = (1 + RING) * _LINE_BYTES
#: Pages of most machines. No page has lines of two ranks.
PAGE_BYTES: Final = 4096
#: From one rank's lines to the next rank's.
_RANK_LINES_BYTES: Final = 3 * PAGE_BYTES + _LINE_BYTES

#: The longest payload of a line.
INLINE_BYTES: Final = 4 * (LINE_WORDS - LINE_PAYLOAD)
#: The longest payload of a slot.
SLOT_BYTES: Final = 65_536
_SLOT_STRIDE: Final = SLOT_BYTES + 576


class Part(NamedTuple):
    """A part of a file, in bytes."""

    offset: int
    length: int


def equal_part(count: int, index: int, of: int) -> Part:
    """The part of a region that one of ``of`` ranks reserves: whole pages, in the order of the ranks."""
    pages = -(-count // PAGE_BYTES)
    start, end = (min(pages * i // of * PAGE_BYTES, count) for i in (index, index + 1))
    return Part(start, end - start)


def _whole_pages(count: int) -> int:
    return -(-count // PAGE_BYTES) * PAGE_BYTES


class Layout:
    """The layout for one number of ranks. All offsets are in bytes."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._lines_at = _whole_pages(_HEADER_BYTES + size * _RECORD_BYTES)
        self._slots_at = _whole_pages(self._lines_at + size * _RANK_LINES_BYTES) + 320
        # A group of one needs no slots.
        self.total_bytes = self._slots_at + (0 if size == 1 else size * SLOTS * _SLOT_STRIDE)

    def parts(self, rank: int) -> list[Part]:
        """The parts that a rank reserves, because it writes them. Nothing else is ever touched."""
        shared = [Part(0, self._lines_at)] if rank == 0 else []
        slots = 0 if self.size == 1 else SLOTS * _SLOT_STRIDE
        lines = Part(self.sleep_word(rank), _OWN_LINES_BYTES)
        return [*shared, lines, Part(self.slot(rank, 0), slots)]

    def record(self, rank: int) -> int:
        """A rank's record."""
        return _HEADER_BYTES + rank * _RECORD_BYTES

    def sleep_word(self, rank: int) -> int:
        """The word in which a rank names the rank it sleeps on, plus one; 0 when it is awake."""
        return self._lines_at + rank * _RANK_LINES_BYTES

    def line(self, rank: int, step: int) -> int:
        """A rank's line for a step."""
        return self.sleep_word(rank) + _LINE_BYTES * (1 + step % RING)

    def slot(self, rank: int, step: int) -> int:
        """A rank's slot for a step."""
        return self._slots_at + (rank * SLOTS + step % SLOTS) * _SLOT_STRIDE
