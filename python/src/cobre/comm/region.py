"""Regions: memory that ranks share if their backend can share memory."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

import numpy as np

from .arrays import Array, ArrayType
from .errors import AllocationFailed, InvalidCommunicator


class SharedRegion:
    """A handle on a region; see ``Communicator.create_shared_region``.

    The memory is returned to the system when no array uses it any more. So an array obtained before
    ``close`` can still be read afterwards.
    """

    def __init__(self, elements: Array, meet: Callable[[], None] = lambda: None) -> None:
        self._elements: Array | None = elements
        self._meet = meet

    def as_slice(self) -> Array:
        """The elements, read-only. No copy: the same memory in each call."""
        view: Array = self._open("as_slice").view()
        view.flags.writeable = False
        return view

    def as_mut_slice(self) -> Array:
        """The elements, writable. No copy: the same array in each call."""
        return self._open("as_mut_slice")

    def fence(self) -> None:
        """Collective: writes before the fence are visible after it to all ranks that share the region.

        On tcp and local every rank has its own region, so the fence does nothing.
        """
        self._open("fence")
        self._meet()

    def close(self) -> None:
        """Releases the region. Idempotent."""
        self._elements = None

    def __enter__(self) -> SharedRegion:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _open(self, operation: str) -> Array:
        if self._elements is None:
            raise InvalidCommunicator(operation, "closed")
        return self._elements


def private_region(array_type: ArrayType, count: int) -> SharedRegion:
    """A region in this process's own memory, for backends whose ranks do not share memory."""
    try:
        return SharedRegion(np.zeros(count, array_type.dtype))
    except MemoryError as error:
        requested = count * array_type.item_bytes
        raise AllocationFailed(requested, _free_bytes(), "ask for a smaller region.") from error


def _free_bytes() -> int:
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0
