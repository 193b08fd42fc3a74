"""Helpers for sockets, beyond sending and receiving."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterable
from typing import Final

#: How often a silent machine is asked before its connections break. The part of the time after which
#: the first question is asked, and that between two questions.
_QUESTIONS: Final = 3
_FIRST_QUESTION: Final = 4 / 7
_NEXT_QUESTION: Final = 1 / 7

#: How many connections may wait to be accepted.
_BACKLOG: Final = 1024

#: Sleeps at start-up are bounded, so that deadlines are checked.
_MOMENT_MS: Final = 5


def tune(sock: socket.socket, silence_secs: float) -> None:
    """Small messages go out at once, and a machine that vanishes breaks its connections.

    The idle ones break by unanswered questions, those with data on the way by a limit of their own,
    since the kernel asks nothing there.
    """
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    limits = (
        ("TCP_KEEPIDLE", round(silence_secs * _FIRST_QUESTION)),
        ("TCP_KEEPINTVL", round(silence_secs * _NEXT_QUESTION)),
        ("TCP_KEEPCNT", _QUESTIONS),
        ("TCP_USER_TIMEOUT", round(silence_secs * 1000)),
    )
    for name, value in limits:
        option = getattr(socket, name, None)
        if option is not None:
            sock.setsockopt(socket.IPPROTO_TCP, option, value)


def family_of(host: str) -> socket.AddressFamily:
    """The family of an IP address."""
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def listen_at(host: str, port: int) -> socket.socket:
    """A socket that listens at an address of this machine. Raises ``OSError``."""
    listener = socket.socket(family_of(host), socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family_of(host) == socket.AF_INET6:
            # The address :: then includes IPv4.
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def format_address(host: str, port: int) -> str:
    """``10.0.0.1:29500``, ``[::1]:29500``."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    return host == "::1" or host.startswith(("127.", "::ffff:127."))


def a_moment(sockets: Iterable[socket.socket]) -> None:
    """Waits a moment, or until one of the sockets can be read."""
    poll = select.poll()
    for sock in sockets:
        poll.register(sock, select.POLLIN)
    poll.poll(_MOMENT_MS)
