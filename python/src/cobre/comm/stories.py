"""Texts about failures, the same as in TypeScript."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final, NamedTuple

from .fingerprint import describe_call


class ComparedCall(NamedTuple):
    """A call as it is compared between ranks."""

    rank: int
    call: int
    length: float


#: Advice after a mismatch.
MISMATCH_ADVICE: Final = "Every rank must make the same calls in the same order."


def who(ranks: Sequence[int]) -> str:
    """Ranks as named in a sentence."""
    if len(ranks) == 1:
        return f"rank {ranks[0]}"
    return f"ranks {', '.join(map(str, ranks))}"


def who_have(ranks: Sequence[int]) -> str:
    """``rank 2 has``, ``ranks 1, 3 have``."""
    return f"{who(ranks)} {'has' if len(ranks) == 1 else 'have'}"


def plain(number: float) -> str:
    """A number without an unnecessary fraction."""
    return f"{number:g}"


def story_of_closing(ranks: Sequence[int]) -> str:
    """The text for awaited ranks that have left."""
    return f"{who_have(ranks)} closed the communicator"


def story_of_timeout(ranks: Sequence[int], seconds: float, backend: str) -> str:
    """Ranks did not come in time."""
    return (
        f"after {plain(seconds)} s {who_have(ranks)} not come. If ranks may take that long, raise the "
        f"limit: --comm-timeout of cobre launch, COBRE_{backend.upper()}_TIMEOUT_SECS, or timeout in "
        'the program ("none", or math.inf in the program, means no limit)'
    )


def story_of_mismatch(mine: ComparedCall, other: ComparedCall) -> str:
    """The text for two ranks that made different calls."""
    call = describe_call(mine.call, mine.length)
    other_call = describe_call(other.call, other.length)
    if call == other_call:
        return (
            f"rank {mine.rank} and rank {other.rank} both call {call}, "
            "but with different counts, or after different calls"
        )
    return f"rank {mine.rank} calls {call}, but rank {other.rank} calls {other_call}"


def warn_of_waiting(rank: int, seconds: float, operation: str, awaited: Sequence[int]) -> None:
    """Writes one line to stderr for a rank that waits long."""
    line = f"cobre: rank {rank} has waited {round(seconds)} s in {operation} for {who(awaited)}\n"
    # Unbuffered and in one write, so that lines of ranks that share a terminal do not mix.
    os.write(2, line.encode())
