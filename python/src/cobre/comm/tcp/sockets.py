"""What is asked of sockets beyond sending and receiving."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterable
from typing import Final

#: A machine that vanishes is noticed after some two minutes, also by a rank that only listens.
_KEEPALIVE: Final = (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 3))

#: How many may wait to be accepted.
_BACKLOG: Final = 1024

#: A sleep at start-up is bounded, so that clocks are looked at.
_MOMENT_MS: Final = 5


def tune(sock: socket.socket) -> None:
    """Small messages go out at once, and a machine that vanishes is noticed."""
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE:
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
            # All addresses of IPv6 are all addresses of both.
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
    """Waits until one of the sockets can be read, at most a moment."""
    poll = select.poll()
    for sock in sockets:
        poll.register(sock, select.POLLIN)
    poll.poll(_MOMENT_MS)
