"""The exceptions: a class for each kind, with the details as attributes.

Every exception except :class:`TrainingInterrupted` is a :class:`CobreError`. The engine's errors keep the engine's kinds, fields and
messages; fields are spelled in snake case (``missingRanks`` is ``missing_ranks``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .issues import Issue, read_issue
from .names import snake

if TYPE_CHECKING:
    from .training_result import TrainingResult


class CobreError(Exception):
    """Something went wrong; the message says what to do."""

    def __init__(self, message: str, **fields: Any) -> None:
        super().__init__(message)
        self.message = message
        #: The details by name; each is also an attribute.
        self.fields: Mapping[str, Any] = fields
        for name, value in fields.items():
            setattr(self, name, value)

    @property
    def kind(self) -> str:
        """The kind of error, as the engine names it."""
        return type(self).__name__

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.message, dict(self.fields))


def _restore(error: type[CobreError], message: str, fields: Mapping[str, Any]) -> CobreError:
    """Restores a pickled error, without calling the constructor of its class."""
    restored = error.__new__(error, message)
    CobreError.__init__(restored, message, **fields)
    return restored


class CaseWarning(UserWarning):
    """Something in a case may be a mistake, but the case can be used."""


class InvalidArgument(CobreError, ValueError):
    """An argument cannot be used."""

    argument: str


class NodeNotFound(CobreError):
    """There is no Node.js that can run the engine."""

    #: The places that were searched, and why none of them will do.
    tried: tuple[str, ...]


class MissingLibrary(CobreError, ImportError):
    """An optional library is needed, but not installed."""

    library: str


class EngineError(CobreError):
    """The engine failed in a way that has no kind of its own."""

    exit_code: int
    #: What it wrote to standard error.
    stderr: str


class ValidationError(CobreError):
    """A case cannot be used. `issues` holds all errors and warnings; the message lists the errors."""

    issues: tuple[Issue, ...]


class OutputError(CobreError):
    """An output directory cannot be used."""

    path: str


class CannotWrite(OutputError):
    """The system refused: no space, no permission."""


class OutputExists(OutputError):
    """The output directory is not empty."""


class OutputInUse(OutputError):
    """Another run writes to the output directory."""


class InvalidOutput(OutputError):
    """A file or directory does not hold complete results."""


class SddpError(CobreError):
    """A policy cannot be used."""


class IncompatiblePolicy(SddpError):
    """A policy was made for another case, another solver or other settings."""


class InvalidPolicy(SddpError):
    """A policy file does not exist, is damaged or has another version."""


class SolverError(CobreError):
    """A solver failed."""

    solver: str


class SolverNotAvailable(SolverError):
    """The solver is not installed."""


class SolverCrashed(SolverError):
    """The solver crashed."""


class SubproblemFailed(SolverError):
    """A subproblem has no solution, or none was found."""

    subproblem: str
    status: str
    attempts: int
    #: Its LP file, if it could be written.
    file: str | None


class BackendError(CobreError):
    """The workers could not be connected."""


class InvalidBackend(BackendError, ValueError):
    """There is no backend of this name."""

    requested: str
    available: tuple[str, ...]


class BackendNotAvailable(BackendError):
    """A backend that cannot be used here."""

    requested: str
    available: tuple[str, ...]


class InitializationFailed(BackendError):
    """The workers did not find each other."""

    backend: str
    reason: str
    missing_ranks: tuple[int, ...]


class CommError(CobreError):
    """Communication between workers failed."""


class CollectiveFailed(CommError):
    """Workers lost contact with each other."""

    operation: str
    backend: str
    rank: int
    missing_ranks: tuple[int, ...]


class AllocationFailed(CommError):
    """There was not enough shared memory."""

    requested_bytes: int
    available_bytes: int


class WorkerError(CobreError):
    """A worker failed, and all others have been ended.

    If the worker could report why, that is the `error` (and the ``__cause__``). It has the class that a single worker would have raised.
    """

    rank: int
    #: `None` if a signal ended it.
    exit_code: int | None
    #: Such as "SIGKILL"; `None` if it ended by itself.
    signal: str | None
    error: CobreError | None

    def __init__(
        self,
        rank: int,
        message: str,
        *,
        exit_code: int | None = None,
        signal: str | None = None,
        error: CobreError | None = None,
    ) -> None:
        super().__init__(message, rank=rank, exit_code=exit_code, signal=signal, error=error)
        self.__cause__ = error


class TrainingInterrupted(KeyboardInterrupt):
    """Ctrl-C ended the workers after their current iteration.

    It is a `KeyboardInterrupt`, so that a notebook or a program stops as usual. `result` is what was trained so far, with the
    checkpoint to resume from; `None` if no iteration was completed.
    """

    def __init__(self, message: str, result: TrainingResult | None) -> None:
        super().__init__(message)
        self.result = result


def read_error(told: Mapping[str, Any]) -> CobreError:
    """The exception for an error that the engine reported."""
    fields = {
        snake(name): tuple(value) if isinstance(value, list) else value
        for name, value in told.items()
        if name not in ("name", "kind", "message")
    }
    if told["name"] == "ValidationError":
        fields["issues"] = tuple(read_issue(issue) for issue in told["issues"])
    wanted = told.get("kind", told["name"])
    found = next((error for error in _family(CobreError) if error.__name__ == wanted), None)
    if found is None:
        named = (error for error in _family(CobreError) if error.__name__ == told["name"])
        found = next(named, EngineError)
    return found(told["message"], **fields)


def _family(error: type[CobreError]) -> Iterator[type[CobreError]]:
    for child in error.__subclasses__():
        yield child
        yield from _family(child)
