"""Shared memory as NumPy arrays and as words.

A word is read and written through a memoryview of its type. CPython does that with a copy of a fixed
4 or 8 bytes between the memory and a local variable, for which compilers emit one move; an aligned move
of that length is never torn on x86-64, and stores become visible there in the order in which they are
made. So what is written before the number of a step is seen by whoever sees the number.
"""

from __future__ import annotations

import ctypes
import weakref
from typing import Any

import numpy as np

from ..arrays import Array
from . import posix


class SharedMemory:
    """A mapping. It is given back when the last array over it is gone."""

    def __init__(self, fd: int, count: int) -> None:
        self.address = 0
        #: All of it, as bytes.
        self.bytes: Array = np.zeros(0, np.uint8)
        #: All of it, as words of 32 bits and as float64; an empty region has neither.
        self.words: memoryview[Any] = memoryview(bytearray())
        self.doubles: memoryview[Any] = memoryview(bytearray())
        if count > 0:
            self.address = posix.map_shared(fd, count)
            block = (ctypes.c_ubyte * count).from_address(self.address)
            # Arrays over it keep the block alive; at exit the kernel unmaps what is left.
            weakref.finalize(block, posix.unmap, self.address, count).atexit = False
            self.bytes = np.frombuffer(memoryview(block), np.uint8)
            whole = self.bytes[: count // 8 * 8]
            if whole.size > 0:
                self.words = whole.data.cast("I")
                self.doubles = whole.data.cast("d")

    def elements(self, dtype: np.dtype[Any], at: int, count: int) -> Array:
        """Elements from a byte on."""
        return self.bytes[at : at + count * dtype.itemsize].view(dtype)
