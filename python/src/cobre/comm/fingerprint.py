"""Calls encoded as numbers, which are exchanged with every call. Never renumber."""

from __future__ import annotations

from typing import Final

from .arrays import ARRAY_TYPES, REDUCE_OPS

MASK: Final = 0xFFFFFFFF

BARRIER: Final = 1
BROADCAST: Final = 2
ALLREDUCE: Final = 3
ALLGATHERV: Final = 4
CREATE_SHARED_REGION: Final = 5
SPLIT_LOCAL: Final = 6
FENCE: Final = 7

#: From code to the name in messages between ranks, and to the name of the method here.
_CALLS: Final = {
    BARRIER: ("barrier", "barrier"),
    BROADCAST: ("broadcast", "broadcast"),
    ALLREDUCE: ("allreduce", "allreduce"),
    ALLGATHERV: ("allgatherv", "allgatherv"),
    CREATE_SHARED_REGION: ("createSharedRegion", "create_shared_region"),
    SPLIT_LOCAL: ("splitLocal", "split_local"),
    FENCE: ("fence", "fence"),
    8: ("close", "close"),
}
_UNKNOWN: Final = ("an unknown call", "an unknown call")


def encode_call(call: int, type_code: int = 0, op: int = 0, root: int = 0) -> int:
    """Packs a call into one word: the collective, array type, operation and root."""
    return call | type_code << 4 | op << 8 | root << 12


def operation_of(encoded: int) -> str:
    """The method in an encoded call."""
    return _CALLS.get(encoded & 15, _UNKNOWN)[1]


def describe_call(encoded: int, length: float) -> str:
    """An encoded call as text: ``allreduce(Float64Array, 4 elements, sum)``."""
    name = _CALLS.get(encoded & 15, _UNKNOWN)[0]
    parts: list[str] = []
    for array_type in ARRAY_TYPES:
        if array_type.code == encoded >> 4 & 15:
            elements = "element" if length == 1 else "elements"
            parts += [array_type.name, f"{int(length)} {elements}"]
    parts += [op for op, code in REDUCE_OPS.items() if code == encoded >> 8 & 15]
    if name == "broadcast":
        parts.append(f"root {encoded >> 12}")
    return f"{name}({', '.join(parts)})"


def stir(value: int, more: int) -> int:
    """Adds a number to a 32-bit hash."""
    mixed = ((value ^ more) & MASK) * 0x9E3779B1 & MASK
    return mixed ^ mixed >> 15


def stir_call(history: int, call: int, length: int, extra: int = 0) -> int:
    """The hash of all calls, with one more call added."""
    return stir(stir(stir(history, call), length ^ length >> 32), extra)


def stir_counts(counts: list[int]) -> int:
    """The hash of the counts of an allgatherv."""
    stirred = 0
    for count in counts:
        stirred = stir(stirred, (count ^ (count >> 32)) & MASK)
    return stirred


def is_reached(seen: int, wanted: int) -> bool:
    """Whether a wrapping 32-bit counter has reached ``wanted``."""
    return (seen - wanted) & MASK < 0x80000000
