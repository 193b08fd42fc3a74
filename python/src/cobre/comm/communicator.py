"""The contract. Checks, groups of one and interruptions are handled here for every backend."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from . import checks
from .arrays import Array, ArrayType
from .errors import CommError, InvalidCommunicator
from .farewell import forget, is_failure, reason_of, remember
from .region import SharedRegion

#: Counts or displacements of an allgatherv.
Counts = Sequence[int] | npt.NDArray[np.integer]


class Membership(Protocol):
    """This rank as a member of a group."""

    @property
    def is_open(self) -> bool:
        """Whether collectives can be called."""

    def unusable(self, operation: str) -> InvalidCommunicator:
        """What an operation raises when the group is not open."""

    def close(self) -> None:
        """Says goodbye."""

    def abandon(self, reason: str) -> None:
        """Leaves the group with an error, which the others get."""


class Communicator(ABC):
    """A group of processes (ranks) that meet in collective calls, in Python, TypeScript or both.

    Every rank makes the same calls in the same order; a call returns when its result is in place.
    Arrays are C-contiguous NumPy arrays of float64, float32 or an integer type. They are treated as
    one-dimensional, whatever their shape. Arguments are checked before any memory is touched; a
    violation raises a ``CommError`` on the rank that made it. ``send`` and ``recv`` must not overlap.
    A communicator belongs to one thread at a time.

    >>> with connect() as comm:
    ...     total = np.empty(1)
    ...     comm.allreduce(np.array([comm.rank + 1.0]), total, "sum")

    An exception that leaves a ``with`` block is reported to the other ranks, which fail instead of waiting.
    """

    #: Which backend this is: "local", "shm" or "tcp".
    backend: ClassVar[str]

    def __init__(self, rank: int, size: int, membership: Membership) -> None:
        #: This process's number: 0 … ``size - 1``.
        self.rank = rank
        #: The number of ranks.
        self.size = size
        self._membership = membership
        remember(membership)

    def allgatherv(self, send: Array, recv: Array, counts: Counts, displs: Counts) -> None:
        """Every rank contributes a piece; every rank receives all pieces.

        ``send`` has ``counts[rank]`` elements. Afterwards rank r's piece is at ``displs[r]`` of ``recv``,
        byte for byte, and gaps are untouched. No rank returns before all have contributed.
        """
        self._check_open("allgatherv")
        pieces = checks.check_allgatherv(self.rank, self.size, send, recv, counts, displs)
        pair = pieces.pair
        if self.size > 1:
            self._run(lambda: self._allgatherv(pieces))
        else:
            at = pieces.displs[0]
            pair.recv[at : at + pair.send.size] = pair.send

    def allreduce(self, send: Array, recv: Array, op: str) -> None:
        """Combines the ranks' vectors element by element, with "sum", "min" or "max".

        They are folded in rank order in the arithmetic of their type, which gives the same bytes on every rank
        and every backend. With one rank the bytes are copied.
        """
        self._check_open("allreduce")
        pair = checks.check_allreduce(send, recv, op)
        if self.size > 1:
            self._run(lambda: self._allreduce(pair, op))
        else:
            pair.recv[...] = pair.send

    def broadcast(self, buf: Array, root: int) -> None:
        """Copies the root's ``buf`` to the ``buf`` of every rank, byte for byte."""
        self._check_open("broadcast")
        array, array_type, whole_root = checks.check_broadcast(buf, root, self.size)
        if self.size > 1:
            self._run(lambda: self._broadcast(array, array_type, whole_root))

    def barrier(self) -> None:
        """Returns when every rank has called it."""
        self._check_open("barrier")
        if self.size > 1:
            self._run(self._barrier)

    def create_shared_region(self, dtype: npt.DTypeLike, count: int) -> SharedRegion:
        """Collective: creates a region of ``count`` elements, set to zero.

        On shm there is one copy for all ranks, and they may write disjoint parts of it. On tcp and
        local each rank has its own copy and is its own leader.
        """
        self._check_open("create_shared_region")
        array_type, whole = checks.check_region(dtype, count)
        made: list[SharedRegion] = []
        self._run(lambda: made.append(self._create_shared_region(array_type, whole)))
        return made[0]

    def split_local(self) -> Communicator:
        """Collective: a communicator over the ranks that can share memory with this one."""
        self._check_open("split_local")
        made: list[Communicator] = []
        self._run(lambda: made.append(self._split_local()))
        return made[0]

    @property
    @abstractmethod
    def is_leader(self) -> bool:
        """Whether this is rank 0 of ``split_local()``: exactly one leader per shared copy."""

    def close(self) -> None:
        """Leaves the group and frees everything. Idempotent; waits for the others only a moment at most."""
        self._membership.close()
        forget(self._membership)

    def abort(self, reason: str) -> None:
        """Leaves the group with an error: the other ranks fail in their next collective and name this rank and reason.

        The communicator is broken afterwards.
        """
        self._membership.abandon(reason)

    def __enter__(self) -> Communicator:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is not None and is_failure(error):
            self._membership.abandon(reason_of(error))
        self.close()

    def _check_open(self, operation: str) -> None:
        if not self._membership.is_open:
            raise self._membership.unusable(operation)

    def _run(self, collective: Callable[[], None]) -> None:
        try:
            collective()
        except CommError:
            raise
        except BaseException as error:
            # After an interrupted collective this rank is out of step with the others for good.
            self._membership.abandon(reason_of(error))
            raise

    @abstractmethod
    def _allgatherv(self, pieces: checks.Pieces) -> None: ...

    @abstractmethod
    def _allreduce(self, pair: checks.Pair, op: str) -> None: ...

    @abstractmethod
    def _broadcast(self, buf: Array, array_type: ArrayType, root: int) -> None: ...

    @abstractmethod
    def _barrier(self) -> None: ...

    @abstractmethod
    def _create_shared_region(self, array_type: ArrayType, count: int) -> SharedRegion: ...

    @abstractmethod
    def _split_local(self) -> Communicator: ...
