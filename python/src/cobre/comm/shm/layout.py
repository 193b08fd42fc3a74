"""Where everything stands in the memory of a group; docs/shm-protocol.md says the same in words."""

from __future__ import annotations

from typing import Final

MAGIC: Final = (0x52424F43, 0x4D485345)
VERSION: Final = 3

# Words of the header (32 bits each).
HEADER_MAGIC: Final = 0
HEADER_VERSION: Final = 2
HEADER_SIZE: Final = 3
HEADER_TOTAL_BYTES: Final = 4
HEADER_SLOT_BYTES: Final = 5
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
RECORD_MISSING: Final = 16
RECORD_TEXT: Final = 64
_RECORD_BYTES: Final = 1024
RECORD_TEXT_BYTES: Final = _RECORD_BYTES - 4 * RECORD_TEXT
MAX_RANKS: Final = 1024

# Why a rank gave up.
ABORT_NONE: Final = 0
ABORT_MISMATCH: Final = 1
ABORT_MISSING: Final = 2
ABORT_EXCEPTION: Final = 3

#: How many lines a rank has, one a step.
RING: Final = 128
#: How many slots a rank has.
SLOTS: Final = 16

# Words of a line. The number of the step is written last: it publishes all the rest.
LINE_STEP: Final = 0
LINE_CALL: Final = 1
LINE_HISTORY: Final = 2
LINE_LENGTH: Final = 4
LINE_PAYLOAD: Final = 6
LINE_WORDS: Final = 16
_LINE_BYTES: Final = 4 * LINE_WORDS
_RANK_LINES_BYTES: Final = (1 + RING) * _LINE_BYTES

#: The most that a line carries.
INLINE_BYTES: Final = 4 * (LINE_WORDS - LINE_PAYLOAD)
#: The most that one step carries in a slot.
SLOT_BYTES: Final = 65_536
_SLOT_STRIDE: Final = SLOT_BYTES + 576


class Layout:
    """The layout for one number of ranks. All offsets are in bytes."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._lines_at = _HEADER_BYTES + size * _RECORD_BYTES
        self._slots_at = self._lines_at + size * _RANK_LINES_BYTES + 320
        # A group of one has nobody to hand anything to.
        self.total_bytes = self._slots_at + (0 if size == 1 else size * SLOTS * _SLOT_STRIDE)

    def record(self, rank: int) -> int:
        """A rank's record."""
        return _HEADER_BYTES + rank * _RECORD_BYTES

    def sleep_word(self, rank: int) -> int:
        """The word in which a rank says on whom it sleeps: that rank plus one; 0 when awake."""
        return self._lines_at + rank * _RANK_LINES_BYTES

    def line(self, rank: int, step: int) -> int:
        """A rank's line for a step."""
        return self.sleep_word(rank) + _LINE_BYTES * (1 + step % RING)

    def slot(self, rank: int, step: int) -> int:
        """A rank's slot for a step."""
        return self._slots_at + (rank * SLOTS + step % SLOTS) * _SLOT_STRIDE
