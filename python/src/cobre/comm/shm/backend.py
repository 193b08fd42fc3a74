"""Joins a group over shared memory, if the platform supports it."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping

from ..communicator import Communicator
from ..errors import BackendNotAvailable
from ..settings import Environment
from .config import read_config


def join_shm(arguments: Mapping[str, object], environment: Environment) -> Communicator:
    """Joins the group and waits until all ranks have joined."""
    obstacle = platform_obstacle(sys.platform, platform.machine())
    if obstacle is not None:
        raise BackendNotAvailable("shm", ("tcp", "local"), obstacle)
    config = read_config(arguments, environment)
    # Imported only here, because its own imports exist on Linux only.
    from .communicator import ShmCommunicator  # noqa: PLC0415

    return ShmCommunicator.join(config)


def platform_obstacle(system: str, machine: str) -> str | None:
    """Why this platform cannot run shm, or None."""
    if system != "linux":
        return f"it needs Linux (futexes, locks of open files and /proc), and this is {system}."
    if machine.lower() not in ("x86_64", "amd64"):
        return (
            "ranks in Python need the memory order of x86-64 (stores become visible in the order in "
            f"which they are made), and this is {machine}. Use tcp."
        )
    return None
