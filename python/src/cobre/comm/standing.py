"""The state of a communicator: open, until it is closed or a failure breaks it for good."""

from __future__ import annotations

from .errors import CollectiveFailed, InvalidCommunicator


class Standing:
    """The state of a communicator."""

    def __init__(self) -> None:
        self._state = "open"
        self._failure: CollectiveFailed | None = None

    @property
    def is_open(self) -> bool:
        """Whether collectives can be called."""
        return self._state == "open"

    @property
    def is_closed(self) -> bool:
        """Whether it was closed."""
        return self._state == "closed"

    def unusable(self, operation: str) -> InvalidCommunicator:
        """What an operation raises when the communicator is not open."""
        if self._state == "broken":
            return InvalidCommunicator(operation, "broken", self._failure)
        return InvalidCommunicator(operation, "closed")

    def close(self) -> None:
        """Marks it as closed."""
        self._state = "closed"

    def break_off(self, failure: CollectiveFailed | None = None) -> None:
        """Marks it as broken by a failure."""
        self._state = "broken"
        self._failure = failure


class Member:
    """The part of a membership that all backends share: its state."""

    def __init__(self) -> None:
        self._standing = Standing()

    @property
    def is_open(self) -> bool:
        """Whether collectives can be called."""
        return self._standing.is_open

    def unusable(self, operation: str) -> InvalidCommunicator:
        """What an operation raises when the communicator is not open."""
        return self._standing.unusable(operation)
