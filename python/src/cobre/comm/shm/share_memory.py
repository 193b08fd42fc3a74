"""Collective: memory that all ranks of the group have mapped, in a file that never has a name.

The leader makes the file; the others open it through the leader's descriptor in /proc. No kill at any
moment can leave it behind.
"""

from __future__ import annotations

import os
from typing import Final, NamedTuple

import numpy as np

from ..arrays import FLOAT64
from ..errors import AllocationFailed
from .allreduce import have_all
from .broadcast import broadcast
from .group import Group
from .memory import SharedMemory
from .segment import available_bytes, reserve_pages

#: More than this ranks in TypeScript cannot map.
_MAX_MAPPED_BYTES: Final = 65_535 * 65_536


class _Offer(NamedTuple):
    pid: int
    fd: int


def share_memory(group: Group, count: int) -> SharedMemory:
    """Zeroed and reserved. Raises ``AllocationFailed`` on every rank if one cannot have it."""
    offer = _offer(group, count)
    mapped: SharedMemory | None = None
    cause: OSError | None = None
    try:
        mapped = _map(group, offer, count)
    except OSError as error:
        cause = error
    # The leader's descriptor must stay open until everybody has opened the file through it.
    try:
        everybody = have_all(group, mapped is not None)
    finally:
        if group.rank == 0:
            os.close(offer.fd)
    if mapped is not None and everybody:
        return mapped
    # Was the leader's file not to be opened because the leader is dead? Then this meeting fails.
    if group.size > 1:
        group.meet_all()
    reason = "another rank could not map it." if cause is None else f"{cause}."
    raise AllocationFailed(count, available_bytes(), reason) from cause


def _map(group: Group, offer: _Offer, count: int) -> SharedMemory:
    if group.rank == 0:
        return SharedMemory(offer.fd, count)
    fd = os.open(f"/proc/{offer.pid}/fd/{offer.fd}", os.O_RDWR)
    try:
        return SharedMemory(fd, count)
    finally:
        os.close(fd)


def _offer(group: Group, count: int) -> _Offer:
    """The leader makes the file and tells the others where it is, or that there is no room."""
    if count > _MAX_MAPPED_BYTES:
        raise AllocationFailed(count, _MAX_MAPPED_BYTES, "a region has at most 4 GiB.")
    message = np.zeros(3)
    failure: Exception | None = None
    if group.rank == 0:
        try:
            message[:] = os.getpid(), _create_file(count), 0
        except (OSError, AllocationFailed) as error:
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
    if isinstance(failure, AllocationFailed):
        raise failure
    full = "/dev/shm is full on rank 0's side. In a container, raise --shm-size."
    raise AllocationFailed(count, available, full if failure is None else str(failure))


def _create_file(count: int) -> int:
    fd = os.open("/dev/shm", os.O_TMPFILE | os.O_RDWR, 0o600)
    try:
        if count > 0:
            reserve_pages(fd, count)
    except BaseException:
        os.close(fd)
        raise
    return fd
