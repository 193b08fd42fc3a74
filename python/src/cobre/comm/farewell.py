"""A process that ends must tell its groups, so that no rank waits for it in vain.

After SIGKILL the kernel does that: it releases locks and closes connections.
"""

from __future__ import annotations

import atexit
import os
import sys
from types import TracebackType
from typing import Protocol


class Leaving(Protocol):
    """A membership in a group that can be ended."""

    def abandon(self, reason: str) -> None:
        """Leaves the group because this process ends with an error."""

    def close(self) -> None:
        """Says goodbye."""


_open: dict[int, tuple[Leaving, int]] = {}
_is_listening = False


def remember(membership: Leaving) -> None:
    """Registers a membership that must be ended when this process ends."""
    _open[id(membership)] = (membership, os.getpid())
    _listen()


def forget(membership: Leaving) -> None:
    """Removes a membership that has ended."""
    _open.pop(id(membership), None)


def reason_of(error: BaseException) -> str:
    """The reason that other ranks get for an exception that ends this rank."""
    if isinstance(error, SystemExit):
        return f"it exited with code {1 if isinstance(error.code, str) else error.code}"
    if isinstance(error, KeyboardInterrupt):
        return "it was interrupted (KeyboardInterrupt)"
    return f"uncaught {type(error).__name__}: {error}"


def is_failure(error: BaseException) -> bool:
    """Whether an exception that ends a program means failure."""
    return not (isinstance(error, SystemExit) and error.code in (None, 0))


def _ours() -> list[Leaving]:
    # A forked child has copies of its parent's memberships, which it must not end.
    return [membership for membership, pid in list(_open.values()) if pid == os.getpid()]


def _listen() -> None:
    global _is_listening  # noqa: PLW0603
    if _is_listening:
        return
    _is_listening = True
    before = sys.excepthook

    def tell(
        kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        for membership in _ours():
            membership.abandon(reason_of(error))
        before(kind, error, traceback)

    def leave() -> None:
        for membership in _ours():
            membership.close()

    sys.excepthook = tell
    atexit.register(leave)
