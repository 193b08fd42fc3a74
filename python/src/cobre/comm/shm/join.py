"""How ranks join through a segment: rank 0 creates it, all register, and its name is removed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import NamedTuple

from ..abort import ABORT_MISSING, AbortNotice
from ..errors import AllocationFailed, InitializationFailed
from ..fingerprint import MASK
from ..settings import start_limit
from ..stories import plain, who
from . import posix
from .config import ShmConfig
from .direct import Token
from .layout import (
    HEADER_FIRST_STEP,
    HEADER_MAGIC,
    HEADER_READY,
    HEADER_SIZE,
    HEADER_STARTED,
    HEADER_TOTAL_BYTES,
    HEADER_VERSION,
    MAGIC,
    RING,
    VERSION,
    Layout,
)
from .memory import SharedMemory
from .records import Records
from .segment import create_segment, open_segment, reserve_pages


class Joined(NamedTuple):
    """A rank that has joined."""

    fd: int
    memory: SharedMemory
    layout: Layout
    first_step: int
    token: Token


def initialize_lines(memory: SharedMemory, layout: Layout, rank: int, first_step: int) -> None:
    """Fills the lines with a step before the first one."""
    for line in range(RING):
        memory.words[layout.line(rank, line) // 4] = first_step - RING & MASK


def join_group(config: ShmConfig) -> Joined:
    """Joins the group, waiting until all others have joined too, or the deadline passes."""
    deadline = time.monotonic() + start_limit(config.timeout_secs)
    fd, first_step = _start(config) if config.rank == 0 else _enter(config, deadline)
    try:
        layout = Layout(config.size)
        memory = SharedMemory(fd, layout.total_bytes)
        records = Records(memory, layout)
        try:
            if config.rank == 0:
                _write_header(memory, layout, first_step)
            else:
                reserve_pages(fd, layout.parts(config.rank), layout.total_bytes)
            initialize_lines(memory, layout, config.rank, first_step)
            token = Token()
            records.write_token(config.rank, token.address, token.value)
            if posix.register_for_barriers():
                records.write_registered(config.rank)
            records.write_joined(config.rank)
            if config.rank == 0:
                _until_all_joined(config, fd, records, deadline)
                posix.shm_unlink(config.name)
                memory.words[HEADER_STARTED] = 1
            else:
                _until_started(config, fd, records, memory, deadline)
            return Joined(fd, memory, layout, first_step, token)
        except InitializationFailed as error:
            # Ranks whose deadline is a moment later should name the same ranks, not the one that leaves.
            notice = AbortNotice(ABORT_MISSING, error.missing_ranks, error.reason)
            records.write_abort(config.rank, notice)
            raise
        except AllocationFailed as error:
            # The others need not wait for a rank that has no room for its parts.
            text = f"rank {config.rank} cannot join: {error.message}"
            records.write_abort(config.rank, AbortNotice(ABORT_MISSING, (config.rank,), text))
            raise
    except BaseException:
        if config.rank == 0:
            posix.shm_unlink(config.name)
        os.close(fd)
        raise


def _start(config: ShmConfig) -> tuple[int, int]:
    fd = create_segment(config.name, Layout(config.size))
    return fd, config.first_step & MASK


def _write_header(memory: SharedMemory, layout: Layout, first_step: int) -> None:
    words = memory.words
    words[HEADER_MAGIC], words[HEADER_MAGIC + 1] = MAGIC
    words[HEADER_VERSION] = VERSION
    words[HEADER_SIZE] = layout.size
    words[HEADER_TOTAL_BYTES] = layout.total_bytes
    words[HEADER_FIRST_STEP] = first_step
    words[HEADER_READY] = 1


def _enter(config: ShmConfig, deadline: float) -> tuple[int, int]:
    pause = _pauses()
    while True:
        found = open_segment(config.name)
        if found is not None:
            break
        if time.monotonic() > deadline:
            reason = (
                f"rank 0 did not make the segment {config.name} within "
                f"{plain(start_limit(config.timeout_secs))} s. Check that rank 0 was started, under the "
                "same name; COBRE_SHM_TIMEOUT_SECS allows more time."
            )
            raise InitializationFailed("shm", reason, [0])
        pause()
    fd, header = found
    try:
        if header.size != config.size:
            reason = (
                f"rank 0 was told that there are {header.size} ranks, this rank {config.rank} that "
                f"there are {config.size}. All must be told the same size."
            )
            raise InitializationFailed("shm", reason)
        needed = Layout(header.size).total_bytes
        if needed != header.total_bytes:
            reason = (
                f"the segment {config.name} has {header.total_bytes} bytes, but {header.size} ranks "
                f"need {needed}: it was tampered with. Choose another name."
            )
            raise InitializationFailed("shm", reason)
        if not posix.lock_byte(fd, config.rank):
            reason = f"rank {config.rank} has already joined. Give each process a rank of its own."
            raise InitializationFailed("shm", reason)
    except BaseException:
        os.close(fd)
        raise
    return fd, header.first_step


def _until_all_joined(config: ShmConfig, fd: int, records: Records, deadline: float) -> None:
    pause = _pauses()
    while missing := _not_joined(config, records):
        _refuse_if_dead(config, fd, records)
        if time.monotonic() > deadline:
            raise _never_came(config, missing)
        pause()


def _until_started(
    config: ShmConfig, fd: int, records: Records, memory: SharedMemory, deadline: float
) -> None:
    pause = _pauses()
    while memory.words[HEADER_STARTED] == 0:
        _refuse_if_dead(config, fd, records)
        if time.monotonic() > deadline:
            raise _never_came(config, _not_joined(config, records) or [0])
        pause()


def _not_joined(config: ShmConfig, records: Records) -> list[int]:
    return [r for r in range(config.size) if not records.has_joined(r)]


def _refuse_if_dead(config: ShmConfig, fd: int, records: Records) -> None:
    """Raises at once if a rank has given up, or is dead after it had joined."""
    others = [r for r in range(config.size) if r != config.rank]
    for r in others:
        if records.has_aborted(r):
            notice = records.read_abort(r)
            raise InitializationFailed("shm", notice.text, notice.missing_ranks)
    dead = [r for r in others if records.has_joined(r) and not posix.is_byte_locked(fd, r)]
    if not dead:
        return
    ranks = ", ".join(map(str, dead))
    reason = f"rank {ranks} joined and died before all had come."
    raise InitializationFailed("shm", reason, dead)


def _never_came(config: ShmConfig, missing: list[int]) -> InitializationFailed:
    reason = (
        f"{who(missing)} did not come within {plain(start_limit(config.timeout_secs))} s. Check that all "
        f"{config.size} were started with the name {config.name}; COBRE_SHM_TIMEOUT_SECS allows "
        "more time."
    )
    return InitializationFailed("shm", reason, missing)


def _pauses() -> Callable[[], None]:
    """Pauses that are short at first and then become longer."""
    seconds = 0.001

    def pause() -> None:
        nonlocal seconds
        time.sleep(seconds)
        seconds = min(seconds * 1.5, 0.02)

    return pause
