"""Collective: memory that all ranks of the group map, in a file without a name.

The leader creates the file; the others open it through the leader's descriptor in /proc. It cannot be left
behind, whenever a rank is killed.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from ..arrays import FLOAT64
from ..errors import AllocationFailed
from .allreduce import have_all
from .broadcast import broadcast
from .group import Group
from .layout import Part, equal_part
from .memory import SharedMemory
from .segment import available_bytes, reserve_pages

#: TypeScript ranks cannot map more.
_MAX_MAPPED_BYTES: Final = 65_535 * 65_536


class _Offer(NamedTuple):
    pid: int
    fd: int


def share_memory(group: Group, count: int, parts: Sequence[Part] | None = None) -> SharedMemory:
    """Maps memory that is zeroed and reserved. Raises ``AllocationFailed`` on every rank if one rank fails.

    Each rank reserves the parts that it is going to fill: ``parts``, or its share of equal parts.
    """
    offer = _offer(group, count)
    mine = [equal_part(count, group.rank, group.size)] if parts is None else parts
    mapped: SharedMemory | None = None
    cause: OSError | AllocationFailed | None = None
    try:
        mapped = _map(group, offer, count, mine)
    except (OSError, AllocationFailed) as error:
        cause = error
    # The leader's descriptor must stay open until all ranks have opened the file through it.
    try:
        everybody = have_all(group, mapped is not None)
        # Gives back all pages, though ranks have mapped them. Only if all ranks know that none may touch them.
        if not everybody and group.rank == 0:
            os.ftruncate(offer.fd, 0)
    finally:
        if group.rank == 0:
            os.close(offer.fd)
    if mapped is not None and everybody:
        return mapped
    # If the file could not be opened because the leader is dead, this meeting fails.
    if group.size > 1:
        group.meet_all()
    if isinstance(cause, AllocationFailed):
        raise cause
    full = (
        "another rank could not get its part: perhaps /dev/shm is full. In a container, raise "
        "--shm-size."
    )
    reason = full if cause is None else f"{cause}."
    raise AllocationFailed(count, available_bytes(), reason) from cause


def _map(group: Group, offer: _Offer, count: int, parts: Sequence[Part]) -> SharedMemory:
    if group.rank == 0:
        reserve_pages(offer.fd, parts, count)
        return SharedMemory(offer.fd, count)
    fd = os.open(f"/proc/{offer.pid}/fd/{offer.fd}", os.O_RDWR)
    try:
        _check_opened(fd, count)
        reserve_pages(fd, parts, count)
        return SharedMemory(fd, count)
    finally:
        os.close(fd)


def _check_opened(fd: int, count: int) -> None:
    """Makes sure that it is the offered file: process and descriptor may be others by now."""
    found = os.fstat(fd)
    if found.st_uid != os.getuid() or found.st_size != count:
        raise OSError(
            errno.ESTALE,
            f"the memory that was offered has {found.st_size} bytes and belongs to uid {found.st_uid}",
        )


def _offer(group: Group, count: int) -> _Offer:
    """The leader creates the file and broadcasts where it is, or that there is no room."""
    if count > _MAX_MAPPED_BYTES:
        raise AllocationFailed(count, _MAX_MAPPED_BYTES, "a region must be smaller than 4 GiB.")
    message = np.zeros(3)
    failure: Exception | None = None
    if group.rank == 0:
        try:
            message[:] = os.getpid(), _create_file(count), 0
        except OSError as error:
            failure = error
            message[:] = 0, 0, available_bytes()
    try:
        if group.size > 1:
            broadcast(group, message, FLOAT64, 0)
    except BaseException:
        if group.rank == 0 and message[0] != 0:
            os.close(int(message[1]))
        raise
    pid, fd, available = (int(number) for number in message)
    if pid != 0:
        return _Offer(pid, fd)
    full = "/dev/shm is full where rank 0 runs. In a container, raise --shm-size."
    raise AllocationFailed(count, available, full if failure is None else str(failure))


def _create_file(count: int) -> int:
    fd = os.open("/dev/shm", os.O_TMPFILE | os.O_RDWR, 0o600)
    try:
        os.ftruncate(fd, count)
    except BaseException:
        os.close(fd)
        raise
    return fd
