"""Reading straight out of another rank's memory, which saves one of two copies.

Kernels and containers may forbid it. So it is used only if every rank has tried it on every other one and has
found the number that the other one had announced.
"""

from __future__ import annotations

import ctypes
import secrets
import sys
from typing import TYPE_CHECKING, Final

import numpy as np

from ..arrays import Array
from . import posix
from .records import Records

if TYPE_CHECKING:
    from .group import Group

_ADDRESS: Final = np.dtype(np.float64)

#: The limit if it is not allowed.
NEVER: Final = sys.maxsize


class Token:
    """A number in this rank's private memory, for others to try to read."""

    def __init__(self) -> None:
        self.value = float(secrets.randbelow(2**47))
        self._place = ctypes.c_double(self.value)
        self.address = ctypes.addressof(self._place)


def can_read_all(records: Records, rank: int, size: int) -> bool:
    """Whether this rank can read all others."""
    found = ctypes.c_double()
    for r in range(size):
        if r == rank:
            continue
        address, token = records.read_token(r)
        try:
            posix.read_from(records.pid(r), address, ctypes.addressof(found), 8)
        except OSError:
            return False
        # In another process namespace the same pid is another process.
        if found.value != token:
            return False
    return True


def direct_min_bytes(is_allowed: bool, has_core_for_all: bool) -> int:
    """The number of bytes from which on it is used. With more ranks than cores an additional meeting is expensive."""
    if not is_allowed:
        return NEVER
    return 32_768 if has_core_for_all else 524_288


def address_of(array: Array) -> int:
    """The address of an array's elements."""
    address: int = array.__array_interface__["data"][0]
    return address


def announce_address(group: Group, array: Array) -> int:
    """Announces a step with the address of an array of this rank; returns the step."""
    step = group.next()
    group.inline(group.rank, step, _ADDRESS, 1)[0] = address_of(array)
    group.announce(step)
    return step


def read_address(group: Group, rank: int, step: int) -> int:
    """The address that a rank has announced with a step."""
    return int(group.inline(rank, step, _ADDRESS, 1)[0])
