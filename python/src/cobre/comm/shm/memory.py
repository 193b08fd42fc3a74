"""Shared memory as NumPy arrays and as words.

A word is read and written through a memoryview of its type. CPython copies a fixed 4 or 8 bytes
between the memory and a local variable, for which compilers emit one move. On x86-64 an aligned move
of that length is never torn, and stores become visible in the order in which they are
made. So a rank that sees the number of a step also sees everything that was written before it.
"""

from __future__ import annotations

import ctypes
import weakref
from typing import Any

import numpy as np

from ..arrays import Array
from . import posix


class SharedMemory:
    """A mapping. It is unmapped when no array uses it any more."""

    def __init__(self, fd: int, count: int) -> None:
        self.address = 0
        #: The memory as bytes.
        self.bytes: Array = np.zeros(0, np.uint8)
        #: The memory as 32-bit words and as float64; empty for an empty region.
        self.words: memoryview[Any] = memoryview(bytearray())
        self.doubles: memoryview[Any] = memoryview(bytearray())
        if count > 0:
            self.address = posix.map_shared(fd, count)
            block = (ctypes.c_ubyte * count).from_address(self.address)
            # Arrays keep the block alive. At exit the kernel unmaps the rest.
            weakref.finalize(block, posix.unmap, self.address, count).atexit = False
            self.bytes = np.frombuffer(memoryview(block), np.uint8)
            whole = self.bytes[: count // 8 * 8]
            if whole.size > 0:
                self.words = whole.data.cast("I")
                self.doubles = whole.data.cast("d")

    def elements(self, dtype: np.dtype[Any], at: int, count: int) -> Array:
        """The elements that start at byte ``at``."""
        return self.bytes[at : at + count * dtype.itemsize].view(dtype)
