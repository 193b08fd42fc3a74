"""The records of the ranks: their processes and how they ended. Each rank writes only its own."""

from __future__ import annotations

import os

from ..abort import ABORT_NONE, AbortNotice
from ..processors import process_namespace
from .layout import (
    RECORD_ABORT,
    RECORD_CLOSED,
    RECORD_JOINED,
    RECORD_MISSING,
    RECORD_NAMESPACE,
    RECORD_PID,
    RECORD_REGISTERED,
    RECORD_TEXT,
    RECORD_TEXT_BYTES,
    RECORD_TEXT_LENGTH,
    RECORD_TOKEN,
    RECORD_TOKEN_ADDRESS,
    Layout,
)
from .memory import SharedMemory


class Records:
    """All records of a group."""

    def __init__(self, memory: SharedMemory, layout: Layout) -> None:
        self._memory = memory
        self._words = memory.words
        self._layout = layout

    def write_joined(self, rank: int) -> None:
        self._words[self._at(rank) + RECORD_PID] = os.getpid()
        self._memory.doubles[(self._at(rank) + RECORD_NAMESPACE) // 2] = float(process_namespace())
        self._words[self._at(rank) + RECORD_JOINED] = 1

    def has_joined(self, rank: int) -> bool:
        return bool(self._words[self._at(rank) + RECORD_JOINED] == 1)

    def pid(self, rank: int) -> int:
        return int(self._words[self._at(rank) + RECORD_PID])

    def visible_pids(self, own: int) -> list[int | None]:
        """The processes of the other ranks; None for this one and for ranks in another process namespace."""
        here = self._namespace(own)
        return [
            self.pid(r) if r != own and here != 0 and self._namespace(r) == here else None
            for r in range(self._layout.size)
        ]

    def _namespace(self, rank: int) -> float:
        return float(self._memory.doubles[(self._at(rank) + RECORD_NAMESPACE) // 2])

    def write_registered(self, rank: int) -> None:
        """The rank has registered for the memory barriers of others."""
        self._words[self._at(rank) + RECORD_REGISTERED] = 1

    def are_all_registered(self) -> bool:
        ranks = range(self._layout.size)
        return all(self._words[self._at(r) + RECORD_REGISTERED] == 1 for r in ranks)

    def write_token(self, rank: int, address: int, token: float) -> None:
        """Writes the address of a number in the rank's own memory, and the number."""
        doubles, at = self._memory.doubles, self._at(rank)
        doubles[(at + RECORD_TOKEN_ADDRESS) // 2] = float(address)
        doubles[(at + RECORD_TOKEN) // 2] = token

    def read_token(self, rank: int) -> tuple[int, float]:
        doubles, at = self._memory.doubles, self._at(rank)
        address = doubles[(at + RECORD_TOKEN_ADDRESS) // 2]
        return int(address), float(doubles[(at + RECORD_TOKEN) // 2])

    def write_closed(self, rank: int) -> None:
        self._words[self._at(rank) + RECORD_CLOSED] = 1

    def has_closed(self, rank: int) -> bool:
        return bool(self._words[self._at(rank) + RECORD_CLOSED] == 1)

    def write_abort(self, rank: int, notice: AbortNotice) -> None:
        """Only the first reason counts. Its code is written last."""
        words, at = self._words, self._at(rank)
        if words[at + RECORD_ABORT] != ABORT_NONE:
            return
        for missing in notice.missing_ranks:
            words[at + RECORD_MISSING + missing // 32] |= 1 << missing % 32
        text = notice.text.encode()[:RECORD_TEXT_BYTES]
        # Do not cut a character in two.
        text = text.decode(errors="ignore").encode()
        start = 4 * (at + RECORD_TEXT)
        self._memory.bytes[start : start + len(text)] = memoryview(text)
        words[at + RECORD_TEXT_LENGTH] = len(text)
        words[at + RECORD_ABORT] = notice.code

    def has_aborted(self, rank: int) -> bool:
        return bool(self._words[self._at(rank) + RECORD_ABORT] != ABORT_NONE)

    def read_abort(self, rank: int) -> AbortNotice:
        words, at = self._words, self._at(rank)
        count = min(words[at + RECORD_TEXT_LENGTH], RECORD_TEXT_BYTES)
        start = 4 * (at + RECORD_TEXT)
        text = self._memory.bytes[start : start + count].tobytes().decode(errors="replace")
        missing = tuple(
            r
            for r in range(self._layout.size)
            if words[at + RECORD_MISSING + r // 32] >> r % 32 & 1
        )
        return AbortNotice(words[at + RECORD_ABORT], missing, text)

    def _at(self, rank: int) -> int:
        return self._layout.record(rank) // 4
