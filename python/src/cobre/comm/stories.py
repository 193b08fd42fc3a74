"""What is said about failures, in the same words as by ranks in TypeScript."""

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


#: What a mismatch means for the program.
MISMATCH_ADVICE: Final = "Every rank must make the same calls in the same order."


def who(ranks: Sequence[int]) -> str:
    """Ranks as a sentence names them."""
    if len(ranks) == 1:
        return f"rank {ranks[0]}"
    return f"ranks {', '.join(map(str, ranks))}"


def who_have(ranks: Sequence[int]) -> str:
    """``rank 2 has``, ``ranks 1, 3 have``."""
    return f"{who(ranks)} {'has' if len(ranks) == 1 else 'have'}"


def plain(number: float) -> str:
    """A number without a needless fraction."""
    return f"{number:g}"


def story_of_closing(ranks: Sequence[int]) -> str:
    """Ranks are gone that were waited for."""
    return f"{who_have(ranks)} closed the communicator"


def story_of_timeout(ranks: Sequence[int], seconds: float) -> str:
    """Ranks did not come in time."""
    return (
        f"after {plain(seconds)} s {who_have(ranks)} not come. "
        "If ranks may compute that long, give the communicator a longer timeout"
    )


def story_of_mismatch(mine: ComparedCall, other: ComparedCall) -> str:
    """Two ranks call different things."""
    call = describe_call(mine.call, mine.length)
    other_call = describe_call(other.call, other.length)
    if call == other_call:
        return (
            f"rank {mine.rank} and rank {other.rank} both call {call}, "
            "but with other counts, or after different calls"
        )
    return f"rank {mine.rank} calls {call}, but rank {other.rank} calls {other_call}"


def warn_of_waiting(rank: int, seconds: float, operation: str, awaited: Sequence[int]) -> None:
    """One line on stderr for a rank that waits long."""
    line = f"cobre: rank {rank} has waited {round(seconds)} s in {operation} for {who(awaited)}\n"
    # Unbuffered and in one piece: lines of ranks that share a terminal do not get mixed up.
    os.write(2, line.encode())
