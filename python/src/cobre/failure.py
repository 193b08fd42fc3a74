"""Builds the exception for a run that failed: which worker failed, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import (
    CobreError,
    CollectiveFailed,
    EngineError,
    InitializationFailed,
    OutputError,
    SddpError,
    ValidationError,
    WorkerError,
    read_error,
)
from .job import Account

#: Errors in the request itself, which are not the fault of a worker.
EVERYBODYS = (ValidationError, OutputError, SddpError)
#: How much of the engine's standard error is shown.
LAST_CHARACTERS = 2000


def failure_of(account: Account, num_workers: int) -> CobreError:
    """The exception for a run that ended with an exit code other than 0."""
    told = [(line["rank"], read_error(line["error"])) for line in account.lines.get("error", [])]
    for rank, error in told:
        if rank is None or num_workers == 1 or isinstance(error, EVERYBODYS):
            return error
    end = account.last("job_done")
    if end is None or num_workers == 1:
        return _unexplained(account)
    errors: dict[
        int, CobreError
    ] = {}  # the first of each rank, in the order in which they were reported
    for rank, error in told:
        errors.setdefault(rank, error)
    culprit = _culprit(errors, end)
    if culprit is None:
        return _unexplained(account)
    return _worker_error(culprit, errors.get(culprit), end, account)


def _culprit(errors: Mapping[int, CobreError], end: Mapping[str, Any]) -> int | None:
    """The rank that failed. The others only lost contact with it."""
    for rank, error in errors.items():
        if not isinstance(error, CollectiveFailed | InitializationFailed):
            return rank
    for error in errors.values():
        if isinstance(error, CollectiveFailed | InitializationFailed) and error.missing_ranks:
            return error.missing_ranks[0]
    first: int | None = end["firstFailure"]
    return first


def _worker_error(
    rank: int, error: CobreError | None, end: Mapping[str, Any], account: Account
) -> WorkerError:
    exit_of = next(ended for ended in end["ranks"] if ended["rank"] == rank)
    code, signal = exit_of["code"], exit_of["signal"]
    if error is not None:
        # It failed by itself, even if a signal ended it before it could exit.
        code, signal = _told_code(rank, account), None
        story = f"failed: {error.message}"
    elif signal is not None:
        hint = "; it may have run out of memory" if signal == "SIGKILL" else ""
        story = f"was ended by {signal}{hint}"
    else:
        story = f"exited with code {code}{_last_words(account)}"
    size = len(end["ranks"])
    return WorkerError(
        rank, f"worker {rank} of {size} {story}", exit_code=code, signal=signal, error=error
    )


def _told_code(rank: int, account: Account) -> int:
    codes = (line["code"] for line in account.lines["error"] if line["rank"] == rank)
    code: int = next(codes)
    return code


def _unexplained(account: Account) -> EngineError:
    code = account.exit_code
    how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return EngineError(
        f"the engine {how}{_last_words(account)}", exit_code=code, stderr=account.stderr
    )


def _last_words(account: Account) -> str:
    words = account.stderr.strip()[-LAST_CHARACTERS:]
    return f": {words}" if words else ""
