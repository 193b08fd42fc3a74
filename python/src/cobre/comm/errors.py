"""The errors: one class per kind, each with its details as typed fields.

Kinds, fields and messages are the same as in TypeScript, so that all ranks of a mixed group report the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar


class StructuredError(Exception):
    """An error whose details are fields."""

    kind: ClassVar[str]
    #: The fields, in the order in which they are shown.
    fields: ClassVar[tuple[str, ...]]
    #: The name of this family of errors in TypeScript.
    family: ClassVar[str]

    @property
    def message(self) -> str:
        """The message for people."""
        return str(self.args[0])

    def to_json(self) -> dict[str, Any]:
        """Everything a log or another process needs, under the names that TypeScript ranks use."""
        facts = {_camel(field): getattr(self, field) for field in self.fields}
        return {"name": self.family, "kind": self.kind, **facts, "message": self.message}

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickling would fail otherwise, because the constructors have other arguments than Exception.
        return _restore, (type(self), self.args, self.__dict__)


def _restore(
    error: type[StructuredError], args: tuple[Any, ...], facts: dict[str, Any]
) -> StructuredError:
    restored = error.__new__(error, *args)
    restored.args = args
    restored.__dict__.update(facts)
    return restored


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


class BackendError(StructuredError):
    """No communicator could be made."""

    family = "BackendError"


class InvalidBackend(BackendError):
    """There is no backend of this name."""

    kind = "InvalidBackend"
    fields = ("requested", "available")

    def __init__(self, requested: str, available: Sequence[str], origin: str) -> None:
        shown = "empty" if requested == "" else f'"{requested}"'
        super().__init__(
            f"{origin} is {shown}, which names no backend. This build has {', '.join(available)}; "
            f'use one of them or "auto", or leave it unset for "auto".'
        )
        self.requested = requested
        self.available = tuple(available)


class BackendNotAvailable(BackendError):
    """A known backend that Python ranks do not have, or that this platform cannot run."""

    kind = "BackendNotAvailable"
    fields = ("requested", "available")

    def __init__(self, requested: str, available: Sequence[str], reason: str) -> None:
        names = ", ".join(available)
        super().__init__(f"The {requested} backend is not available: {reason} Available: {names}.")
        self.requested = requested
        self.available = tuple(available)


class MissingConfiguration(BackendError):
    """Variables or arguments that a backend needs are not set; the error lists all of them."""

    kind = "MissingConfiguration"
    fields = ("backend", "missing")

    def __init__(self, backend: str, missing: Sequence[str], example: str) -> None:
        are = "is" if len(missing) == 1 else "are"
        super().__init__(
            f"The {backend} backend needs {', '.join(missing)}, which {are} not set. "
            f"For example: {example}"
        )
        self.backend = backend
        self.missing = tuple(missing)


class InvalidConfiguration(BackendError):
    """A variable or an argument does not parse, or contradicts another."""

    kind = "InvalidConfiguration"
    fields = ("backend", "setting", "value")

    def __init__(self, backend: str, setting: str, value: str, reason: str) -> None:
        shown = '""' if value == "" else value
        super().__init__(f"{setting}={shown} cannot be used: {reason}")
        self.backend = backend
        self.setting = setting
        self.value = value


class InitializationFailed(BackendError):
    """Everything was configured, but the group did not come together."""

    kind = "InitializationFailed"
    fields = ("backend", "reason", "missing_ranks")

    def __init__(self, backend: str, reason: str, missing_ranks: Sequence[int] = ()) -> None:
        super().__init__(f"The {backend} backend could not start: {reason}")
        self.backend = backend
        self.reason = reason
        self.missing_ranks = tuple(missing_ranks)


class CommError(StructuredError):
    """An operation on a communicator failed."""

    family = "CommError"


class CollectiveFailed(CommError):
    """A collective could not be completed. The communicator is broken afterwards."""

    kind = "CollectiveFailed"
    fields = ("operation", "backend", "rank", "missing_ranks", "mpi_error_code")

    def __init__(
        self,
        operation: str,
        backend: str,
        rank: int,
        reason: str,
        missing_ranks: Sequence[int] = (),
    ) -> None:
        super().__init__(f"{operation} failed on rank {rank} ({backend}): {reason}")
        self.operation = operation
        self.backend = backend
        self.rank = rank
        #: The ranks that died, hang or never answered.
        self.missing_ranks = tuple(missing_ranks)
        #: Always 0, because Python ranks do not use MPI.
        self.mpi_error_code = 0


class InvalidBufferSize(CommError):
    """An array, ``counts`` or ``displs`` has the wrong length. Nothing was touched."""

    kind = "InvalidBufferSize"
    fields = ("operation", "expected", "actual")

    def __init__(self, operation: str, what: str, expected: int, actual: int, hint: str) -> None:
        super().__init__(
            f"{operation}: {what} has length {actual}, but {expected} is needed. {hint}"
        )
        self.operation = operation
        self.expected = expected
        self.actual = actual


class InvalidRoot(CommError):
    """``root`` is not a rank of this communicator. Nothing was touched."""

    kind = "InvalidRoot"
    fields = ("root", "size")

    def __init__(self, root: object, size: int) -> None:
        ranks = "the only rank is 0" if size == 1 else f"the ranks are 0 to {size - 1}"
        super().__init__(f"broadcast: root {root} is not a rank of this communicator; {ranks}.")
        self.root = root
        self.size = size


class InvalidArgument(CommError):
    """An argument is not valid for the operation. Nothing was touched."""

    kind = "InvalidArgument"
    fields = ("operation", "argument", "reason")

    def __init__(self, operation: str, argument: str, reason: str) -> None:
        super().__init__(f"{operation}: {argument} {reason}")
        self.operation = operation
        self.argument = argument
        self.reason = reason


class InvalidCommunicator(CommError):
    """The communicator or region was closed, or an earlier failure broke it."""

    kind = "InvalidCommunicator"
    fields = ("operation", "state")

    def __init__(self, operation: str, state: str, cause: Exception | None = None) -> None:
        why = "unknown" if cause is None else str(cause)
        super().__init__(
            f"{operation}: the communicator or region is already closed. "
            "Keep it open until the last operation has returned."
            if state == "closed"
            else f"{operation}: an earlier failure broke this communicator ({why}). "
            "Create a new one, in new processes."
        )
        self.operation = operation
        self.state = state
        self.__cause__ = cause


class AllocationFailed(CommError):
    """Memory for a region or a segment could not be allocated."""

    kind = "AllocationFailed"
    fields = ("requested_bytes", "available_bytes")

    def __init__(self, requested_bytes: int, available_bytes: int, reason: str) -> None:
        super().__init__(
            f"{requested_bytes} bytes could not be allocated ({available_bytes} available): {reason}"
        )
        self.requested_bytes = requested_bytes
        self.available_bytes = available_bytes
