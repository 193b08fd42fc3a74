"""How a worker joins: it finds rank 0, identifies itself, and waits until all others have joined."""

from __future__ import annotations

import socket
import time
from typing import Final

from ..errors import InitializationFailed
from ..machine import machine_number
from ..settings import start_limit
from ..stories import plain
from .config import TcpConfig, is_ip
from .handshake import PURPOSE_JOIN, Introduction, decode_roster
from .introducing import DoubtfulRefusal, NotReached, Refused, connect_to, introduce
from .joined import Joined
from .link import Link
from .sockets import a_moment, format_address
from .wire import (
    ABORT,
    HEADER_BYTES,
    LINKS,
    MAX_CONTROL_BYTES,
    ROSTER,
    decode_abort,
    frame,
)

#: How long one address may take in the first round; twice as long in each further round.
_FIRST_TRY_SECS: Final = 0.25
_LONGEST_TRY_SECS: Final = 5.0

#: The pause between rounds over all addresses: short at first, for ranks that start together.
_FIRST_PAUSE_SECS: Final = 0.01
_LONGEST_PAUSE_SECS: Final = 0.25

#: How long a rank that knows the token goes on trying when somebody refuses it without knowing the
#: token: a stranger in the place of rank 0 must not end it, and a wrong token must be told soon.
_DOUBT_SECS: Final = 2.0

#: Rank 0 may have started a little later, so it may know the missing ranks a little later.
_VERDICT_SECS: Final = 1.5


def join_coordinator(config: TcpConfig) -> Joined:
    """Joins as a worker."""
    deadline = time.monotonic() + start_limit(config.timeout_secs)
    link = Link(_reach_coordinator(config, deadline), 0)
    try:
        roster = decode_roster(_hear(link, ROSTER, config, deadline + _VERDICT_SECS))
        if roster is None or len(roster.machines) != config.size:
            raise _unintelligible()
        if roster.links:
            # This rank has no links, so no rank uses links and everything goes through the star.
            link.send(frame(LINKS, b"\0"))
            _hear(link, LINKS, config, deadline + _VERDICT_SECS)
        return Joined([link], roster.machines.count(roster.machines[config.rank]))
    except BaseException:
        link.close()
        raise


def _reach_coordinator(config: TcpConfig, deadline: float) -> socket.socket:
    causes: dict[str, str] = {}
    doubted_at: float | None = None
    pause, attempt = _FIRST_PAUSE_SECS, _FIRST_TRY_SECS
    while True:
        for host in _addresses_of(config.host, causes):
            try:
                until = min(deadline, time.monotonic() + attempt)
                return _try_address(host, config, until, deadline)
            except Refused as refusal:
                raise InitializationFailed("tcp", str(refusal)) from refusal
            except DoubtfulRefusal as refusal:
                now = time.monotonic()
                doubted_at = now if doubted_at is None else doubted_at
                if now - doubted_at > _DOUBT_SECS:
                    raise InitializationFailed("tcp", str(refusal)) from refusal
                causes[format_address(host, config.port)] = str(refusal)
            except NotReached as failure:
                causes[format_address(host, config.port)] = str(failure)
        if time.monotonic() + pause > deadline:
            break
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE_SECS)
        attempt = min(2 * attempt, _LONGEST_TRY_SECS)
    tried = "; ".join(f"{where}: {cause}" for where, cause in causes.items())
    reason = (
        f"rank 0 was not reached at {format_address(config.host, config.port)} within "
        f"{plain(start_limit(config.timeout_secs))} s ({tried}). Check that rank 0 was started, and "
        "COBRE_TCP_COORDINATOR and COBRE_TCP_PORT; COBRE_TCP_TIMEOUT_SECS allows more time."
    )
    raise InitializationFailed("tcp", reason, [0])


def _try_address(host: str, config: TcpConfig, until: float, deadline: float) -> socket.socket:
    sock = connect_to(host, config.port, until, config.silence_secs)
    try:
        who = Introduction(config.rank, config.size, machine_number(), 0, PURPOSE_JOIN)
        introduce(sock, who, config.secret, deadline)
    except BaseException:
        sock.close()
        raise
    return sock


def _addresses_of(host: str, causes: dict[str, str]) -> list[str]:
    """The present addresses of the name, which may change until the next round."""
    if is_ip(host):
        return [host]
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError as error:
        causes[host] = f"the name cannot be resolved ({error})"
        return []
    causes.pop(host, None)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def _hear(link: Link, tag: int, config: TcpConfig, deadline: float) -> bytes:
    """The payload of the next frame, which must have the given tag. Raises the error that rank 0 reports instead."""
    while True:
        link.push()
        link.fill()
        whole = link.frame_bytes(link.start)
        if whole is not None and whole > HEADER_BYTES + MAX_CONTROL_BYTES:
            raise _unintelligible()
        if whole is not None and link.available >= whole:
            found = link.tag_at(link.start)
            payload = link.take_frame(whole)
            if found == tag:
                return payload
            if found != ABORT:
                raise _unintelligible()
            notice = decode_abort(payload)
            raise InitializationFailed("tcp", notice.text, notice.missing_ranks)
        if link.has_ended:
            raise InitializationFailed("tcp", "rank 0 died before all ranks had come.", [0])
        if time.monotonic() > deadline:
            reason = (
                "rank 0 accepted this rank, but did not report within "
                f"{plain(start_limit(config.timeout_secs))} s that all ranks had joined."
            )
            raise InitializationFailed("tcp", reason, [0])
        a_moment([link.socket])


def _unintelligible() -> InitializationFailed:
    reason = "rank 0 sent an unexpected message. Use one version of Cobre for all ranks."
    return InitializationFailed("tcp", reason)
