"""How a rank says that it has given up: the same numbers in shared memory and on the wire."""

from __future__ import annotations

from typing import Final, NamedTuple

ABORT_NONE: Final = 0
ABORT_MISSING: Final = 1
ABORT_MISMATCH: Final = 2
ABORT_EXCEPTION: Final = 3


class AbortNotice(NamedTuple):
    """What a rank tells the others when it gives up."""

    code: int
    missing_ranks: tuple[int, ...]
    text: str
