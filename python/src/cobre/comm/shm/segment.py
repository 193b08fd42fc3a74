"""The named segment through which ranks find each other.

Rank 0 creates it, the others open it, and its name is removed as soon as all have joined. Every rank locks the
byte of its number for as long as it lives. A segment whose byte 0 is not locked is abandoned.
"""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from ..errors import AllocationFailed, InitializationFailed
from . import posix
from .layout import (
    HEADER_FIRST_STEP,
    HEADER_MAGIC,
    HEADER_READY,
    HEADER_SIZE,
    HEADER_TOTAL_BYTES,
    HEADER_VERSION,
    MAGIC,
    VERSION,
    Layout,
    Part,
)

_SHM_DIRECTORY: Final = "/dev/shm"

#: A creator locks its segment right after creating it. Until then the segment looks abandoned.
_GRACE_SECS: Final = 0.2

_HEADER: Final = struct.Struct("<16I")
_ATTEMPTS: Final = 4


class SegmentHeader(NamedTuple):
    """The header of a segment."""

    version: int
    size: int
    total_bytes: int
    first_step: int


def create_segment(name: str, layout: Layout) -> int:
    """Creates the segment as rank 0, with the pages that rank 0 writes. Replaces one that a killed job has left."""
    for attempt in range(_ATTEMPTS):
        try:
            fd = posix.shm_open(name, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
            break
        except FileExistsError as error:
            if attempt == _ATTEMPTS - 1:
                raise _cannot_open(name, error) from error
            _remove_if_abandoned(name)
        except OSError as error:
            raise _cannot_open(name, error) from error
    try:
        posix.lock_byte(fd, 0)
        os.ftruncate(fd, layout.total_bytes)
        reserve_pages(fd, layout.parts(0), layout.total_bytes)
    except BaseException:
        posix.shm_unlink(name)
        os.close(fd)
        raise
    return fd


def reserve_pages(fd: int, parts: Sequence[Part], count: int) -> None:
    """Reserves parts of a file of ``count`` bytes, so that no later access to them can fail for lack of memory.

    Pages lie on the memory node of the process that reserves them, so every rank reserves what it will write.
    """
    try:
        for part in parts:
            if part.length > 0:
                posix.reserve(fd, part.offset, part.length)
    except OSError as error:
        reason = (
            f"{_SHM_DIRECTORY} is full. Free some of it, or make it larger "
            "(in a container: --shm-size)."
        )
        raise AllocationFailed(count, available_bytes(), reason) from error


def available_bytes() -> int:
    """The free space in /dev/shm."""
    found = os.statvfs(_SHM_DIRECTORY)
    return found.f_bavail * found.f_frsize


def open_segment(name: str) -> tuple[int, SegmentHeader] | None:
    """Opens rank 0's segment; None if it does not exist yet or is unfinished."""
    try:
        fd = posix.shm_open(name, os.O_RDWR)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _cannot_open(name, error) from error
    try:
        _check_owner(fd, name)
        header = _read_header(fd) if posix.is_byte_locked(fd, 0) else None
        if header is not None:
            _check_header(header, os.fstat(fd).st_size, name)
            return fd, header
    except BaseException:
        os.close(fd)
        raise
    os.close(fd)
    return None


def _check_header(header: SegmentHeader, count: int, name: str) -> None:
    if header.version != VERSION:
        raise InitializationFailed(
            "shm",
            f"rank 0 speaks version {header.version} of the protocol, this rank version {VERSION}. "
            "Run the same release on all ranks.",
        )
    if header.total_bytes != count:
        raise InitializationFailed(
            "shm",
            f"the segment {name} has {count} bytes, but its header says {header.total_bytes}: "
            "it was tampered with. Choose another name.",
        )


def _first_words(fd: int) -> tuple[int, ...] | None:
    read = os.pread(fd, _HEADER.size, 0)
    return _HEADER.unpack(read) if len(read) == _HEADER.size else None


def _has_magic(words: tuple[int, ...]) -> bool:
    return words[HEADER_MAGIC : HEADER_MAGIC + 2] == MAGIC


def _read_header(fd: int) -> SegmentHeader | None:
    """Reads the header; None if it is not complete, or not one of ours."""
    words = _first_words(fd)
    if words is None or words[HEADER_READY] != 1 or not _has_magic(words):
        return None
    return SegmentHeader(
        words[HEADER_VERSION],
        words[HEADER_SIZE],
        words[HEADER_TOTAL_BYTES],
        words[HEADER_FIRST_STEP],
    )


def _remove_if_abandoned(name: str) -> None:
    """Unlinks an abandoned segment of ours; raises if it belongs to another program."""
    try:
        fd = posix.shm_open(name, os.O_RDWR)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _cannot_open(name, error) from error
    try:
        _check_owner(fd, name)
        give_up_at = time.monotonic() + _GRACE_SECS
        while not posix.is_byte_locked(fd, 0) and time.monotonic() < give_up_at:
            time.sleep(0.01)
        if posix.is_byte_locked(fd, 0):
            raise InitializationFailed(
                "shm",
                f"the segment {name} is in use: another job has that name, or two processes are "
                "rank 0. Give each job a name and each process a rank of its own.",
            )
        words = _first_words(fd)
        is_ours = os.fstat(fd).st_size == 0 or (
            words is not None and (_has_magic(words) or not any(words))
        )
        if not is_ours:
            raise InitializationFailed(
                "shm",
                f"there is a segment {name} that is not one of ours. Choose another name, or remove "
                f"{_SHM_DIRECTORY}{name}.",
            )
        # Another rank 0 may have replaced it meanwhile. Then the name belongs to another file.
        if _is_still_named(name, fd):
            posix.shm_unlink(name)
    finally:
        os.close(fd)


def _is_still_named(name: str, fd: int) -> bool:
    try:
        return os.stat(_SHM_DIRECTORY + name).st_ino == os.fstat(fd).st_ino
    except OSError:
        return False


def _check_owner(fd: int, name: str) -> None:
    uid = os.fstat(fd).st_uid
    if uid != os.getuid():
        raise InitializationFailed(
            "shm", f"the segment {name} belongs to another user (uid {uid}). Choose another name."
        )


def _cannot_open(name: str, cause: OSError) -> InitializationFailed:
    hint = (
        "it belongs to another user. Choose another name."
        if isinstance(cause, PermissionError)
        else f"check that {_SHM_DIRECTORY} is mounted and writable."
    )
    reason = f"the segment {name} cannot be opened ({cause.strerror}): {hint}"
    return InitializationFailed("shm", reason)
