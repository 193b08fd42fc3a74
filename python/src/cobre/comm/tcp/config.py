"""How a process joins a group over sockets."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from ..errors import MissingConfiguration
from ..settings import DEFAULT_SILENCE_SECS, Environment, Settings
from .cluster import place_from_cluster

_VARIABLES: Final = {
    "rank": "COBRE_TCP_RANK",
    "size": "COBRE_TCP_SIZE",
    "coordinator": "COBRE_TCP_COORDINATOR",
    "port": "COBRE_TCP_PORT",
    "bind_address": "COBRE_TCP_BIND_ADDR",
    "token": "COBRE_TCP_TOKEN",
    "timeout": "COBRE_TCP_TIMEOUT_SECS",
    "silence": "COBRE_TCP_SILENCE_SECS",
    "listen_fd": "COBRE_TCP_LISTEN_FD",
}
_EXAMPLE: Final = (
    "COBRE_TCP_COORDINATOR=node1 COBRE_TCP_RANK=1 COBRE_TCP_SIZE=4 (rank 0 needs no coordinator; "
    "or start the ranks with: cobre launch -n 4 --backend tcp -- …)"
)
_DEFAULT_PORT: Final = 29500

#: Rank 0 has a connection to every worker.
_MAX_RANKS: Final = 1024

#: The kernel asks a silent machine in whole seconds, several times, and for hours at most.
_MIN_SILENCE_SECS: Final = 5
_MAX_SILENCE_SECS: Final = 32_767


class TcpConfig(NamedTuple):
    """A checked configuration with all defaults filled in."""

    rank: int
    size: int
    #: The coordinator's name or address, without brackets; empty on rank 0.
    host: str
    port: int
    bind_address: str
    secret: bytes | None
    timeout_secs: float
    #: How long a machine may be silent before it counts as gone.
    silence_secs: float
    #: A socket that listens already, inherited from a launcher; rank 0 only.
    listen_fd: int | None


def read_config(arguments: Mapping[str, object], environment: Environment) -> TcpConfig:
    """Reads the configuration from arguments first, then from variables, then from Slurm or Kubernetes."""
    elsewhere = place_from_cluster(environment)
    settings = Settings("tcp", _VARIABLES, arguments, environment, elsewhere)
    needed = ["rank", "size"]
    if settings.number("rank", -1) != 0:
        needed.append("coordinator")
    missing = [_VARIABLES[name] for name in needed if not settings.has(name)]
    if missing:
        raise MissingConfiguration("tcp", missing, _EXAMPLE)
    place = settings.place(_MAX_RANKS)
    ports = "a port is a whole number from 1 to 65535."
    port = settings.whole("port", 1, 65_535, ports, _DEFAULT_PORT)
    bind_address = settings.text("bind_address", "0.0.0.0")
    if not is_ip(bind_address):
        reason = "it must be an IP address of this machine, such as 0.0.0.0 or ::."
        settings.refuse("bind_address", reason)
    token = settings.text("token", "")
    if token == "" and settings.has("token"):
        reason = "a token is a text that is not empty; leave it unset for no token."
        settings.refuse("token", reason)
    host = ""
    if place.rank > 0:
        target = parse_coordinator(settings.text("coordinator", ""))
        if target is None:
            reason = "it is a name or an address: node1, node1:29500, [::1]:29500."
            settings.refuse("coordinator", reason)
        host, port = target[0], target[1] or port
    silence = settings.number("silence", DEFAULT_SILENCE_SECS)
    if not _MIN_SILENCE_SECS <= silence <= _MAX_SILENCE_SECS:
        limits = f"from {_MIN_SILENCE_SECS} to {_MAX_SILENCE_SECS}"
        settings.refuse("silence", f"it is a number of seconds {limits}.")
    descriptors = "a descriptor is a whole number, 0 or greater."
    has_listener = place.rank == 0 and settings.has("listen_fd")
    return TcpConfig(
        place.rank,
        place.size,
        host,
        port,
        bind_address,
        token.encode() if token else None,
        place.timeout_secs,
        silence,
        settings.whole("listen_fd", 0, 2**31 - 1, descriptors) if has_listener else None,
    )


def is_ip(text: str) -> bool:
    """Whether the text is an IP address and not a name."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def parse_coordinator(text: str) -> tuple[str, int | None] | None:
    """``name``, ``name:port``, ``10.0.0.1:port``, ``::1``, ``[::1]``, ``[::1]:port``."""
    if is_ip(text):
        return text, None
    bracketed = re.fullmatch(r"\[([^\]]+)\](?::([0-9]+))?", text)
    if bracketed is not None and is_ip(bracketed.group(1)):
        match: re.Match[str] | None = bracketed
    else:
        name = r"[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_.])?"
        match = re.fullmatch(rf"({name})(?::([0-9]+))?", text)
    if match is None:
        return None
    if match.group(2) is None:
        return match.group(1), None
    port = int(match.group(2))
    return (match.group(1), port) if 1 <= port <= 65_535 else None
