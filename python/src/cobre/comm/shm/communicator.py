"""A group of processes of one machine that meet in shared memory."""

from __future__ import annotations

import os
from dataclasses import dataclass

from .. import checks
from ..arrays import Array, ArrayType
from ..communicator import Communicator
from ..errors import CollectiveFailed, InitializationFailed
from ..fingerprint import BARRIER, CREATE_SHARED_REGION, FENCE, SPLIT_LOCAL, encode_call
from ..processors import CoreKeeper, have_processor_each, keeps_cores
from ..region import SharedRegion
from . import posix
from .allgatherv import allgatherv
from .allreduce import allreduce, have_all
from .broadcast import broadcast
from .config import ShmConfig
from .direct import NEVER, Token, can_read_all, direct_min_bytes
from .group import Group
from .join import initialize_lines, join_group
from .layout import Layout
from .membership import ShmMembership
from .memory import SharedMemory
from .records import Records
from .share_memory import share_memory
from .waiting import Waiting


@dataclass
class _Base:
    """What a communicator and its splits share."""

    #: The descriptor of the segment. Its locks show the others that this process lives.
    fd: int
    timeout_secs: float
    #: Whether an announcement needs a fence: not if all have registered for the barriers of sleepers.
    needs_fence: bool
    #: The number that others try to read; its address must not change.
    token: Token
    #: Whether every rank can have a core to itself, and then how this one keeps its own.
    has_core_each: bool
    keeper: CoreKeeper | None
    #: The number of open communicators; the last one closes the descriptor.
    open: int = 0


class ShmCommunicator(Communicator):
    """A communicator over shared memory; docs/shm-protocol.md describes the protocol."""

    backend = "shm"

    @staticmethod
    def join(config: ShmConfig) -> ShmCommunicator:
        """Joins the group and waits until all ranks have joined."""
        try:
            joined = join_group(config)
        except OSError as error:
            raise InitializationFailed("shm", str(error)) from error
        records = Records(joined.memory, joined.layout)
        needs_fence = not records.are_all_registered()
        pids = records.visible_pids(config.rank)
        has_core_each = have_processor_each(pids, config.rank)
        keeper = CoreKeeper(pids) if has_core_each and keeps_cores() else None
        base = _Base(
            joined.fd, config.timeout_secs, needs_fence, joined.token, has_core_each, keeper
        )
        comm = ShmCommunicator(base, joined.memory, joined.layout, config.rank, joined.first_step)
        try:
            comm._agree(records, config.may_read_others)
        except BaseException as error:
            comm.close()
            if isinstance(error, CollectiveFailed):
                raise InitializationFailed("shm", error.message, error.missing_ranks) from error
            raise
        return comm

    def __init__(
        self, base: _Base, memory: SharedMemory, layout: Layout, rank: int, first_step: int
    ) -> None:
        base.open += 1
        self._base = base
        self._is_closed = False
        fd = base.fd
        self._shm_membership = ShmMembership(
            memory, layout, rank, lambda other: posix.is_byte_locked(fd, other)
        )
        waiting = Waiting(
            memory,
            layout,
            self._shm_membership,
            base.has_core_each,
            base.keeper,
            base.timeout_secs,
        )
        self._group = Group(memory, layout, rank, first_step, waiting, base.needs_fence)
        super().__init__(rank, layout.size, self._shm_membership)

    @property
    def is_leader(self) -> bool:
        return self.rank == 0

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        super().close()
        self._base.open -= 1
        if self._base.open == 0:
            os.close(self._base.fd)

    def _allgatherv(self, pieces: checks.Pieces) -> None:
        allgatherv(self._group, pieces)

    def _allreduce(self, pair: checks.Pair, op: str) -> None:
        allreduce(self._group, pair, op)

    def _broadcast(self, buf: Array, array_type: ArrayType, root: int) -> None:
        broadcast(self._group, buf, array_type, root)

    def _barrier(self) -> None:
        self._meet(BARRIER)

    def _create_shared_region(self, array_type: ArrayType, count: int) -> SharedRegion:
        self._meet(encode_call(CREATE_SHARED_REGION, array_type.code), count)
        memory = share_memory(self._group, count * array_type.item_bytes)
        return SharedRegion(memory.elements(array_type.dtype, 0, count), self._fence)

    def _split_local(self) -> Communicator:
        """The same ranks with separate state, so that the collectives of the two never mix."""
        self._meet(SPLIT_LOCAL)
        layout = Layout(self.size)
        memory = share_memory(self._group, layout.total_bytes, layout.parts(self.rank))
        initialize_lines(memory, layout, self.rank, 0)
        split = ShmCommunicator(self._base, memory, layout, self.rank, 0)
        split._group.direct_min_bytes = self._group.direct_min_bytes
        split._shm_membership.records.write_joined(self.rank)
        self._meet(SPLIT_LOCAL, 1)
        return split

    def _fence(self) -> None:
        self._check_open("fence")
        self._run(lambda: self._meet(FENCE))

    def _meet(self, call: int, length: int = 0) -> None:
        self._group.open(call, length)
        self._group.meet_all()

    def _agree(self, records: Records, may_read_others: bool) -> None:
        """Agrees on how to wait and read, because ranks may see different numbers of cores or have different rights."""
        group = self._group
        can_read = may_read_others and can_read_all(records, self.rank, self.size)
        is_allowed = have_all(group, can_read)
        has_cores = have_all(group, self._base.has_core_each)
        group.direct_min_bytes = direct_min_bytes(is_allowed, has_cores) if is_allowed else NEVER
