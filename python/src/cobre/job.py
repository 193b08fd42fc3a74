"""Runs the engine on a case: starts the workers, follows their events, and ends them."""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGINT, SIGTERM, Signals
from typing import Any

from .engine import find_engine
from .errors import CaseWarning
from .events import Event, TrainingDone, WorkerDone, read_event
from .highs import variables_for
from .issues import read_issue
from .node import find_node

#: How often events are read: seldom, because the workers need the cores.
POLL_SECONDS = 0.1
#: The launcher treats two interrupts within a second as one.
SAME_SIGNAL_SECONDS = 1.1

Listener = Callable[[Event], None]


@dataclass(frozen=True)
class Job:
    """A request to the engine."""

    case: Path
    output: Path
    num_workers: int
    backend: str
    solver: str
    #: Merged into the case's config.json.
    settings: Mapping[str, Any]
    flags: tuple[str, ...] = ()

    def command(self, scratch: Path) -> list[str]:
        """The command line. `scratch` holds the settings and the events."""
        workers = (
            ["--backend", "local"]
            if self.num_workers == 1
            else ["-n", str(self.num_workers), "--backend", self.backend]
        )
        return [
            find_node(),
            find_engine(),
            "run",
            str(self.case),
            *workers,
            *("--solver", self.solver),
            *("--output", str(self.output)),
            *("--config", str(scratch / "settings.json")),
            *("--events", str(scratch / "events")),
            "--stop-at-eof",
            *self.flags,
        ]


@dataclass
class Account:
    """What the engine reported, and how it ended."""

    exit_code: int = 0
    stderr: str = ""
    workers: list[WorkerDone] = field(default_factory=list)
    training: TrainingDone | None = None
    #: Lines that are not events, by type: errors, results, the end of the job.
    lines: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    #: Whether Ctrl-C ended it.
    is_interrupted: bool = False

    def last(self, kind: str) -> Mapping[str, Any] | None:
        """The last line of a type."""
        return self.lines[kind][-1] if kind in self.lines else None


def run_job(job: Job, listener: Listener | None) -> Account:
    """Runs the engine to its end. No process is left when this returns or raises."""
    with tempfile.TemporaryDirectory(prefix="cobre-run-") as folder:
        scratch = Path(folder)
        (scratch / "settings.json").write_text(json.dumps(job.settings))
        (scratch / "events").touch()
        account = _Run(job, scratch).follow(listener)
    for line in account.lines.get("warning", []):
        warnings.warn(str(read_issue(line["issue"])), CaseWarning, stacklevel=3)
    return account


class _Run:
    def __init__(self, job: Job, scratch: Path) -> None:
        self.account = Account()
        self.is_alone = job.num_workers == 1
        #: How many bytes of the events have been read.
        self.bytes_read = 0
        self.scratch = scratch
        command = job.command(scratch)
        with (scratch / "stderr").open("wb") as stderr:
            # The engine has its own session, so that Ctrl-C reaches only Python, which asks the workers to
            # stop. The pipe is for the case that Python is killed: the engine reads its end and stops.
            self.process = subprocess.Popen(
                command,
                env={**os.environ, **variables_for(job.solver)},
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                start_new_session=True,
            )

    def follow(self, listener: Listener | None) -> Account:
        try:
            self._tell(listener)
        except KeyboardInterrupt:
            self.account.is_interrupted = True
            self._stop(SIGINT)
            self._tell(None)
        except BaseException:
            self._stop(SIGTERM)
            raise
        finally:
            if self.process.stdin is not None:
                with suppress(OSError):
                    self.process.stdin.close()
        self.account.exit_code = self.process.returncode
        self.account.stderr = (self.scratch / "stderr").read_text(errors="replace")
        return self.account

    def _tell(self, listener: Listener | None) -> None:
        for line in self._lines():
            event = read_event(line)
            if event is None:
                self.account.lines.setdefault(line["type"], []).append(line)
                continue
            if isinstance(event, WorkerDone):
                self.account.workers.append(event)
            elif isinstance(event, TrainingDone):
                self.account.training = event
            if listener is not None:
                listener(event)

    def _lines(self) -> Iterator[Mapping[str, Any]]:
        """Every line of the events, until the process has ended."""
        rest = b""
        with (self.scratch / "events").open("rb") as file:
            file.seek(self.bytes_read)
            has_ended = False
            while not has_ended:
                has_ended = self._ends_within(POLL_SECONDS)
                *lines, rest = (rest + file.read()).split(b"\n")
                for line in lines:
                    self.bytes_read += len(line) + 1
                    yield json.loads(line)

    def _ends_within(self, seconds: float) -> bool:
        """Sleeps until the process ends, at most this long. `Popen.wait` would wake up a hundred times."""
        if self.process.poll() is not None:
            return True
        try:
            handle = os.pidfd_open(self.process.pid)
        except (AttributeError, OSError):  # a system without it
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(seconds)
        else:
            try:
                poller = select.poll()
                poller.register(handle, select.POLLIN)
                poller.poll(1000 * seconds)
            finally:
                os.close(handle)
        return self.process.poll() is not None

    def _stop(self, signal: Signals) -> None:
        """Asks the workers to end after their current iteration. Another Ctrl-C ends them at once."""
        asked = time.monotonic()
        self._send(signal)
        while self.process.returncode is None:
            try:
                self.process.wait()
            except KeyboardInterrupt:
                if self.is_alone:
                    self.process.kill()
                else:
                    time.sleep(max(0.0, asked + SAME_SIGNAL_SECONDS - time.monotonic()))
                    self._send(SIGINT)

    def _send(self, signal: Signals) -> None:
        with suppress(ProcessLookupError):
            self.process.send_signal(signal)
