"""The contract. Checks, the group of one and what an interruption means are here, for every backend."""

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

#: How many elements each rank gives, or where they go.
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
        """Tells the others to stop."""


class Communicator(ABC):
    """A group of processes (ranks) that meet in collective calls, in Python, TypeScript or both.

    Every rank makes the same calls in the same order; a call returns when its result is in place.
    Arrays are C-contiguous NumPy arrays of float64, float32 or an integer type; their elements are
    taken in one row, whatever their shape. Arguments are checked before any memory is touched; a
    violation raises a ``CommError`` on the rank that made it. ``send`` and ``recv`` must not overlap.
    A communicator belongs to one thread at a time.

    >>> with connect() as comm:
    ...     total = np.empty(1)
    ...     comm.allreduce(np.array([comm.rank + 1.0]), total, "sum")

    Leaving a ``with`` block by an exception tells the other ranks why; they fail instead of waiting.
    """

    #: Which backend this is: "local", "shm" or "tcp".
    backend: ClassVar[str]

    def __init__(self, rank: int, size: int, membership: Membership) -> None:
        #: This process's number: 0 … ``size - 1``.
        self.rank = rank
        #: How many ranks there are.
        self.size = size
        self._membership = membership
        remember(membership)

    def allgatherv(self, send: Array, recv: Array, counts: Counts, displs: Counts) -> None:
        """Every rank contributes a piece; every rank receives all pieces.

        ``send`` has ``counts[rank]`` elements; rank r's piece stands at ``displs[r]`` of ``recv``
        afterwards, byte for byte; gaps are untouched. No rank returns before all have contributed.
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
        """Combines the ranks' vectors element by element, by "sum", "min" or "max".

        They are folded in rank order in the element's own arithmetic: the same bytes on every rank
        and every backend. With one rank it is a copy of the bytes.
        """
        self._check_open("allreduce")
        pair = checks.check_allreduce(send, recv, op)
        if self.size > 1:
            self._run(lambda: self._allreduce(pair, op))
        else:
            pair.recv[...] = pair.send

    def broadcast(self, buf: Array, root: int) -> None:
        """Copies the root's ``buf`` into everybody's ``buf``, byte for byte."""
        self._check_open("broadcast")
        array, array_type, whole_root = checks.check_broadcast(buf, root, self.size)
        if self.size > 1:
            self._run(lambda: self._broadcast(array, array_type, whole_root))

    def barrier(self) -> None:
        """Returns when every rank has entered."""
        self._check_open("barrier")
        if self.size > 1:
            self._run(self._barrier)

    def create_shared_region(self, dtype: npt.DTypeLike, count: int) -> SharedRegion:
        """Collective: makes a region of ``count`` elements, zeroed.

        On shm there is one copy per machine and all ranks may write disjoint parts of it; on tcp and
        local each rank has its own, and is its own leader.
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
        """Says goodbye and lets go of everything. Idempotent; never waits longer than a moment."""
        self._membership.close()
        forget(self._membership)

    def abort(self, reason: str) -> None:
        """Gives up: the other ranks fail in their next collective, with this reason and this rank.

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
            # In the middle of a collective there is no way back into step with the others.
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
