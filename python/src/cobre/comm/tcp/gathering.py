"""How rank 0 gathers the others: it listens, accepts ranks of the job, and tells them when all have joined."""

from __future__ import annotations

import errno
import socket
import sys
import time
from typing import Final, NamedTuple

from ..abort import ABORT_MISSING, AbortNotice
from ..errors import InitializationFailed
from ..machine import machine_number
from ..settings import start_limit
from ..stories import plain, who
from .candidate import Candidate
from .config import TcpConfig
from .handshake import (
    MAX_HANDSHAKE_BYTES,
    PURPOSE_JOIN,
    Introduction,
    Misfit,
    Roster,
    encode_roster,
)
from .joined import Joined
from .link import Link
from .sockets import a_moment, format_address, is_loopback, listen_at, tune
from .wire import encode_abort

#: The most connections that may be identifying themselves at a time. Beyond it, the oldest one is closed.
_MAX_CANDIDATES: Final = 256


class _Worker(NamedTuple):
    link: Link
    introduction: Introduction


def gather_workers(config: TcpConfig) -> Joined:
    """Joins as rank 0."""
    gathering = _Gathering(config)
    try:
        gathering.until_all_came()
        return gathering.settle()
    except BaseException as error:
        gathering.dismiss(error)
        raise
    finally:
        gathering.stop_listening()


class _Gathering:
    def __init__(self, config: TcpConfig) -> None:
        self._config = config
        self._deadline = time.monotonic() + start_limit(config.timeout_secs)
        self._listener = _listen(config)
        self._listener.setblocking(False)
        self._candidates: list[Candidate] = []
        self._workers: dict[int, _Worker] = {}
        self._last_refusal = ""
        _warn_if_open_to_all(self._listener, config)

    def until_all_came(self) -> None:
        while self._missing():
            self._let_in()
            for candidate in list(self._candidates):
                self._hear(candidate)
            self._refuse_if_one_died()
            if not self._missing():
                return
            if time.monotonic() > self._deadline:
                raise self._never_came()
            a_moment([self._listener, *(c.link.socket for c in self._candidates)])

    def settle(self) -> Joined:
        """Tells all workers that the group is complete and that links between workers are not wanted."""
        workers = [self._workers[rank] for rank in sorted(self._workers)]
        found = [machine_number(), *(w.introduction.machine for w in workers)]
        machines = tuple(found.index(machine) for machine in found)
        for worker in workers:
            worker.link.send(encode_roster(Roster(machines, links=False)))
        return Joined([worker.link for worker in workers], machines.count(machines[0]))

    def dismiss(self, error: BaseException) -> None:
        """Tells the workers that have joined that the group failed to start."""
        missing, text = [0], f"rank 0 ended: {type(error).__name__}"
        if isinstance(error, InitializationFailed):
            missing, text = list(error.missing_ranks), error.reason
        for worker in self._workers.values():
            worker.link.send(encode_abort(AbortNotice(ABORT_MISSING, tuple(missing), text)))
            worker.link.close()

    def stop_listening(self) -> None:
        self._listener.close()
        for candidate in self._candidates:
            candidate.link.close()

    def _let_in(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            tune(sock, self._config.silence_secs)
            link = Link(sock, -1, MAX_HANDSHAKE_BYTES)
            self._candidates.append(Candidate(link, self._config.secret))
            if len(self._candidates) > _MAX_CANDIDATES:
                self._candidates.pop(0).link.close()

    def _hear(self, candidate: Candidate) -> None:
        try:
            introduction = candidate.proceed()
            if introduction is None:
                return
            self._check(introduction)
        except Misfit as misfit:
            self._refuse(candidate, str(misfit))
            return
        candidate.accept(self._config.size)
        self._candidates.remove(candidate)
        link = Link(candidate.link.socket, introduction.rank)
        self._workers[introduction.rank] = _Worker(link, introduction)

    def _check(self, introduction: Introduction) -> None:
        """Raises ``Misfit`` if a process of the job cannot join with its rank and size."""
        rank, size, told = introduction.rank, introduction.size, self._config.size
        if size != told:
            raise Misfit(
                f"it was told that there are {size} ranks, rank 0 that there are {told}. "
                "All must be told the same size."
            )
        if not 1 <= rank < size or introduction.purpose != PURPOSE_JOIN:
            raise Misfit(f"rank {rank} is not one of the workers 1 to {size - 1}.")
        if rank in self._workers:
            raise Misfit(f"rank {rank} has already joined. Give each process a rank of its own.")

    def _refuse(self, candidate: Candidate, reason: str) -> None:
        try:
            host = candidate.link.socket.getpeername()[0]
        except OSError:
            host = "an unknown address"
        self._last_refusal = f" The last refused connection came from {host}: {reason}"
        candidate.refuse(reason)
        self._candidates.remove(candidate)

    def _missing(self) -> list[int]:
        return [rank for rank in range(1, self._config.size) if rank not in self._workers]

    def _refuse_if_one_died(self) -> None:
        links = [worker.link for worker in self._workers.values()]
        dead = [link.rank for link in links if not link.fill() and link.has_ended]
        if dead:
            ranks = ", ".join(map(str, sorted(dead)))
            reason = f"rank {ranks} joined and died before all had come."
            raise InitializationFailed("tcp", reason, dead)

    def _never_came(self) -> InitializationFailed:
        missing, size = self._missing(), self._config.size
        reason = (
            f"{who(missing)} did not come within {plain(start_limit(self._config.timeout_secs))} s; "
            f"{size - len(missing)} of {size} ranks have joined. Check that they were started and "
            "can reach this machine; COBRE_TCP_TIMEOUT_SECS allows more time."
        )
        return InitializationFailed("tcp", reason + self._last_refusal, missing)


def _listen(config: TcpConfig) -> socket.socket:
    if config.listen_fd is not None:
        return socket.socket(fileno=config.listen_fd)
    try:
        return listen_at(config.bind_address, config.port)
    except OSError as error:
        where = format_address(config.bind_address, config.port)
        reason = (
            f"the address {where} is in use, perhaps by another job. Choose another port with "
            "COBRE_TCP_PORT, the same for all ranks."
            if error.errno == errno.EADDRINUSE
            else f"rank 0 cannot listen at {where} ({error.strerror}). COBRE_TCP_BIND_ADDR must be "
            "an address of this machine."
        )
        raise InitializationFailed("tcp", reason) from error


def _warn_if_open_to_all(listener: socket.socket, config: TcpConfig) -> None:
    """Warns that anyone who can reach the port could join."""
    host, port = listener.getsockname()[:2]
    if config.secret is not None or config.size == 1 or is_loopback(host):
        return
    sys.stderr.write(
        f"cobre: rank 0 listens at {format_address(host, port)} and no token is set: anyone "
        "who can reach it can join. Set COBRE_TCP_TOKEN to the same secret on all ranks.\n"
    )
