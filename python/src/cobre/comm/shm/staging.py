"""Room through which very long pieces travel, in much longer parts than slots have.

It is made when it is first needed, and only if all ranks can have it: most groups never send such pieces, and
containers have little shared memory.
"""

from __future__ import annotations

from typing import Final

from ..arrays import Array, ArrayType
from .memory import SharedMemory

#: How much of a piece one step carries.
STAGED_BYTES: Final = 4_194_304
#: Every rank has two parts, used in turn: one is written while others still read the other one.
_PARTS: Final = 2
#: From how many bytes on a piece is worth it.
STAGED_MIN_BYTES: Final = 16_777_216
#: The room grows with the ranks: larger groups use slots.
_MAX_STAGED_RANKS: Final = 8


class Staging:
    """The room of a group, once it is known whether there is any."""

    def __init__(self, size: int) -> None:
        self.is_decided = size > _MAX_STAGED_RANKS
        self.room_bytes = size * _PARTS * STAGED_BYTES
        self._memory: SharedMemory | None = None

    @property
    def has_room(self) -> bool:
        """Whether all ranks have mapped it."""
        return self._memory is not None

    def decide(self, memory: SharedMemory | None) -> None:
        """The same on all ranks: the room, or that there is none."""
        self.is_decided = True
        self._memory = memory

    def part(self, rank: int, number: int, array_type: ArrayType) -> Array:
        """The elements of a rank's part."""
        assert self._memory is not None, "only where there is room"
        at = (rank * _PARTS + number % _PARTS) * STAGED_BYTES
        return self._memory.elements(array_type.dtype, at, STAGED_BYTES // array_type.item_bytes)
