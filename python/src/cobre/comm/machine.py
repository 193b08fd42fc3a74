"""The identity of this machine, and the cores available to this process."""

from __future__ import annotations

import hashlib
import os
import socket


def machine_number() -> int:
    """A number that is the same for all processes of one machine, even in different containers."""
    try:
        with open("/proc/sys/kernel/random/boot_id", "rb") as file:
            identity = file.read()
    except OSError:
        identity = socket.gethostname().encode()
    return int.from_bytes(hashlib.sha256(identity).digest()[:8], "little")


def available_cores() -> int:
    """The number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
