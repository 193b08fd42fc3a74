"""A group of processes, on one machine or many, that are connected by sockets."""

from __future__ import annotations

import select
import sys
from collections.abc import Mapping

from .. import checks
from ..arrays import Array, ArrayType
from ..communicator import Communicator
from ..errors import BackendNotAvailable, InitializationFailed
from ..fingerprint import BARRIER, CREATE_SHARED_REGION, SPLIT_LOCAL, encode_call
from ..local import LocalCommunicator
from ..processors import CoreKeeper, have_processor_each, keeps_cores
from ..region import SharedRegion, private_region
from ..settings import Environment
from .allgatherv import allgatherv
from .allreduce import allreduce
from .barrier import meet
from .broadcast import broadcast
from .config import TcpConfig, read_config
from .gathering import gather_workers
from .group import Group
from .joined import Joined
from .joining import join_coordinator
from .membership import TcpMembership
from .waiting import Waiting


def join_tcp(arguments: Mapping[str, object], environment: Environment) -> TcpCommunicator:
    """Joins the group and waits until all ranks have joined."""
    if not hasattr(select, "poll"):
        reason = f"it needs poll() and sendmsg(), which {sys.platform} does not have."
        raise BackendNotAvailable("tcp", ("local",), reason)
    config = read_config(arguments, environment)
    try:
        joined = gather_workers(config) if config.rank == 0 else join_coordinator(config)
    except OSError as error:
        raise InitializationFailed("tcp", str(error)) from error
    return TcpCommunicator(config, joined)


class TcpCommunicator(Communicator):
    """A communicator over sockets; docs/wire-protocol.md describes the protocol. Python ranks use only the star."""

    backend = "tcp"

    def __init__(self, config: TcpConfig, joined: Joined) -> None:
        membership = TcpMembership(config.rank, config.size, joined.links)
        # Python ranks are connected by TCP alone, so their processes are not known.
        has_core_for_all = have_processor_each([None] * joined.local_ranks, 0)
        keeper = CoreKeeper([None] * config.size) if has_core_for_all and keeps_cores() else None
        waiting = Waiting(membership, has_core_for_all, keeper, config.timeout_secs)
        self._group = Group(membership, waiting)
        super().__init__(config.rank, config.size, membership)

    @property
    def is_leader(self) -> bool:
        """Always true: ranks share no memory, so each is its own leader."""
        return True

    def _allgatherv(self, pieces: checks.Pieces) -> None:
        allgatherv(self._group, pieces)

    def _allreduce(self, pair: checks.Pair, op: str) -> None:
        allreduce(self._group, pair, op)

    def _broadcast(self, buf: Array, array_type: ArrayType, root: int) -> None:
        broadcast(self._group, buf, array_type, root)

    def _barrier(self) -> None:
        self._meet(BARRIER)

    def _create_shared_region(self, array_type: ArrayType, count: int) -> SharedRegion:
        """Memory of this process alone. Ranks meet nevertheless, so that a mismatch is found."""
        self._meet(encode_call(CREATE_SHARED_REGION, array_type.code), count)
        return private_region(array_type, count)

    def _split_local(self) -> Communicator:
        """This rank alone, because no other rank shares its memory."""
        self._meet(SPLIT_LOCAL)
        return LocalCommunicator()

    def _meet(self, call: int, length: int = 0) -> None:
        if self.size > 1:
            self._group.open(call, length)
            meet(self._group)
