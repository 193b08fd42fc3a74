"""Memory for very long pieces, in much longer parts than slots have.

It is allocated when it is first needed, and only if all ranks can map it: most groups never send such pieces, and
containers have little shared memory.
"""

from __future__ import annotations

from typing import Final

from ..arrays import Array, ArrayType
from .memory import SharedMemory

#: The length of a part; each step carries one.
STAGED_BYTES: Final = 4_194_304
#: Every rank has two parts, used in turn: it writes one while others still read the other.
_PARTS: Final = 2
#: The length of the longest piece from which on staging is used.
STAGED_MIN_BYTES: Final = 16_777_216
#: The memory grows with the number of ranks, so larger groups use slots.
_MAX_STAGED_RANKS: Final = 8


class Staging:
    """The staging memory of a group, once it is decided whether there is any."""

    def __init__(self, size: int) -> None:
        self.is_decided = size > _MAX_STAGED_RANKS
        self.room_bytes = size * _PARTS * STAGED_BYTES
        self._memory: SharedMemory | None = None

    @property
    def has_room(self) -> bool:
        """Whether all ranks have mapped the memory."""
        return self._memory is not None

    def decide(self, memory: SharedMemory | None) -> None:
        """Sets the memory, or None if there is none; the same on all ranks."""
        self.is_decided = True
        self._memory = memory

    def part(self, rank: int, number: int, array_type: ArrayType) -> Array:
        """The elements of a rank's part."""
        assert self._memory is not None, "only where there is room"
        at = (rank * _PARTS + number % _PARTS) * STAGED_BYTES
        return self._memory.elements(array_type.dtype, at, STAGED_BYTES // array_type.item_bytes)
