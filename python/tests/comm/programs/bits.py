"""Repeatable inputs: the same numbers as packages/comm/test/random.ts and bits.ts give, by NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from cobre.comm.arrays import Array, ArrayType

_GAMMA = 0x9E3779B9
_MASK = 0xFFFFFFFF

SPECIAL64 = np.array(
    [
        0x7FF8000000000000,
        0xFFF8000000000000,
        0x7FF0000000000001,
        0xFFF4DEAD00000001,
        0x7FFCAFEBABE12345,
        0x0000000000000000,
        0x8000000000000000,
        0x7FF0000000000000,
        0xFFF0000000000000,
        0x0000000000000001,
        0x7FEFFFFFFFFFFFFF,
        0xFFFFFFFFFFFFFFFF,
    ],
    np.uint64,
)
SPECIAL32 = np.array(
    [
        0x7FC00000,
        0xFFC00000,
        0x7F800001,
        0xFFA0DEAD,
        0,
        0x80000000,
        0x7F800000,
        0xFF800000,
        1,
        0x7F7FFFFF,
        0xFFFFFFFF,
    ],
    np.uint32,
)


class Random:
    """splitmix32. Its state is a counter, so that many numbers can be made at a time."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def many(self, count: int) -> npt.NDArray[np.uint32]:
        """The next numbers, without passing them."""
        steps = np.arange(1, count + 1, dtype=np.uint32)
        with np.errstate(over="ignore"):
            z = np.uint32(self._state) + steps * np.uint32(_GAMMA)
            z = (z ^ (z >> np.uint32(16))) * np.uint32(0x21F0AAAD)
            z = (z ^ (z >> np.uint32(15))) * np.uint32(0x735A2D97)
        numbers: npt.NDArray[np.uint32] = z ^ (z >> np.uint32(15))
        return numbers

    def skip(self, count: int) -> None:
        self._state = self._state + count * _GAMMA & _MASK

    def bits(self) -> int:
        number = int(self.many(1)[0])
        self.skip(1)
        return number

    def below(self, below: int) -> int:
        return self.bits() % below

    def pick(self, items: Any) -> Any:
        return items[self.below(len(items))]


def random_bits(array_type: ArrayType, length: int, random: Random) -> Array:
    """An array of random bits, a third of them special."""
    count = length * array_type.item_bytes
    whole = count // 4
    plain = random.many(whole + 1)
    random.skip(whole + 1)
    array: Array = plain.view(np.uint8)[:count].copy().view(array_type.dtype)
    if array_type.item_bytes < 4 or length == 0:
        return array
    special: Array = SPECIAL64 if array_type.item_bytes == 8 else SPECIAL32
    stream = random.many(2 * length)
    # A number that is divisible by three makes its element special, and the next number says how.
    is_third = stream % 3 == 0
    places = np.arange(stream.size)
    run_start = np.maximum.accumulate(np.where(is_third, -1, places)) + 1
    # Within a row of such numbers, every other one only says how.
    decides_special = is_third & ((places - run_start) % 2 == 0)
    decides = ~np.concatenate(([False], decides_special[:-1]))
    chosen = places[decides][:length]
    hits = np.flatnonzero(decides_special[chosen])
    words = array.view(special.dtype)
    words[hits] = special[stream[chosen[hits] + 1] % len(special)]
    return array


# A contribution repeats itself after so many elements.
PERIOD = 65_521


def contribution(array_type: ArrayType, length: int, seed: int, rank: int) -> Array:
    """What ``rank`` contributes to the step called ``seed``."""
    stirred = (seed * 0x01000193 & _MASK) ^ (rank * 0x9E3779B1 & _MASK)
    first = random_bits(array_type, min(length, PERIOD), Random(stirred))
    return first if length <= PERIOD else np.resize(first, length)


def raw(array: Array) -> bytes:
    """The bytes of an array: what must be the same everywhere."""
    return array.tobytes()
