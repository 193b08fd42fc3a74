"""A group of one. It checks its arguments like every backend."""

from __future__ import annotations

from . import checks
from .arrays import Array, ArrayType
from .communicator import Communicator
from .region import SharedRegion, private_region
from .standing import Member


class LocalMembership(Member):
    """The only member."""

    def close(self) -> None:
        self._standing.close()

    def abandon(self, reason: str) -> None:
        if self._standing.is_open:
            self._standing.break_off()


class LocalCommunicator(Communicator):
    """A group of one: results are copies."""

    backend = "local"

    def __init__(self) -> None:
        super().__init__(0, 1, LocalMembership())

    @property
    def is_leader(self) -> bool:
        return True

    def _create_shared_region(self, array_type: ArrayType, count: int) -> SharedRegion:
        return private_region(array_type, count)

    def _split_local(self) -> Communicator:
        return LocalCommunicator()

    # With one rank the collectives of the base class do not call these.
    def _allgatherv(self, pieces: checks.Pieces) -> None: ...

    def _allreduce(self, pair: checks.Pair, op: str) -> None: ...

    def _broadcast(self, buf: Array, array_type: ArrayType, root: int) -> None: ...

    def _barrier(self) -> None: ...
