"""What can go wrong: a class for each kind, with the facts as attributes.

Every exception is a :class:`CobreError`. The engine's errors keep the engine's kinds, fields and
sentences; fields are spelled as Python does (``missingRanks`` is ``missing_ranks``).
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
        #: The facts by name; each is an attribute, too.
        self.fields: Mapping[str, Any] = fields
        for name, value in fields.items():
            setattr(self, name, value)

    @property
    def kind(self) -> str:
        """The engine's word for what went wrong."""
        return type(self).__name__

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.message, dict(self.fields))


def _restore(error: type[CobreError], message: str, fields: Mapping[str, Any]) -> CobreError:
    """Makes a pickled error again: of its own class, whatever the arguments of that are."""
    restored = error.__new__(error, message)
    CobreError.__init__(restored, message, **fields)
    return restored


class CaseWarning(UserWarning):
    """Something of a case looks wrong, though it can be used."""


class InvalidArgument(CobreError, ValueError):
    """An argument cannot be meant."""

    argument: str


class NodeNotFound(CobreError):
    """There is no Node.js that can run the engine."""

    #: Where it was looked for, and why that will not do.
    tried: tuple[str, ...]


class MissingLibrary(CobreError, ImportError):
    """An optional library is needed for what was asked."""

    library: str


class EngineError(CobreError):
    """The engine failed in a way that has no kind of its own."""

    exit_code: int
    #: What it wrote last.
    stderr: str


class ValidationError(CobreError):
    """A case cannot be used; `issues` has every reason, and the message lists the errors."""

    issues: tuple[Issue, ...]


class OutputError(CobreError):
    """An output directory cannot be used."""

    path: str


class CannotWrite(OutputError):
    """The system refused: no space, no permission."""


class OutputExists(OutputError):
    """There is something where results should go."""


class InvalidOutput(OutputError):
    """What should hold results does not, or not in full."""


class SddpError(CobreError):
    """A policy cannot be used."""


class IncompatiblePolicy(SddpError):
    """A policy does not belong to this case, this solver or these settings."""


class InvalidPolicy(SddpError):
    """A policy file is not there, is damaged or is of another version."""


class SolverError(CobreError):
    """A solver failed."""

    solver: str


class SolverNotAvailable(SolverError):
    """The solver is not installed."""


class SolverCrashed(SolverError):
    """The solver broke down."""


class SubproblemFailed(SolverError):
    """A subproblem has no solution, or none was found."""

    subproblem: str
    status: str
    attempts: int
    #: The LP file of it, if it could be written.
    file: str | None


class BackendError(CobreError):
    """Workers cannot meet this way."""


class InvalidBackend(BackendError, ValueError):
    """The name is not that of any backend."""

    requested: str
    available: tuple[str, ...]


class BackendNotAvailable(BackendError):
    """A backend that cannot be used here."""

    requested: str
    available: tuple[str, ...]


class InitializationFailed(BackendError):
    """The workers did not come together."""

    backend: str
    reason: str
    missing_ranks: tuple[int, ...]


class CommError(CobreError):
    """Communication between workers failed."""


class CollectiveFailed(CommError):
    """Workers lost each other."""

    operation: str
    backend: str
    rank: int
    missing_ranks: tuple[int, ...]


class AllocationFailed(CommError):
    """There was not enough shared memory."""

    requested_bytes: int
    available_bytes: int


class WorkerError(CobreError):
    """A worker failed; all others have been ended.

    If it could tell why, that is the `error` (and the ``__cause__``): of the class that one worker alone would have raised.
    """

    rank: int
    #: `None` if a signal ended it.
    exit_code: int | None
    #: As "SIGKILL"; `None` if it ended by itself.
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
    """Ctrl-C ended the workers after the iteration they were in.

    It is a `KeyboardInterrupt`, so that a notebook or a program stops as usual. `result` is what was trained so far, with the
    checkpoint to resume from; `None` if no iteration was done.
    """

    def __init__(self, message: str, result: TrainingResult | None) -> None:
        super().__init__(message)
        self.result = result


def read_error(told: Mapping[str, Any]) -> CobreError:
    """The exception for an error as the engine tells it."""
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
