"""Groups of ranks in Python and TypeScript, started as processes one by one."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

TESTS = Path(__file__).parent
ROOT = TESTS.parents[2]
PROGRAMS = TESTS / "programs"
SOURCES = ROOT / "python" / "src"
NODE_TESTS = ROOT / "packages" / "comm" / "dist-test"

#: What the segments of this process's groups are called; others may run tests at the same time.
SEGMENT_PREFIX = f"cobre-python-{os.getpid()}-"

#: What hangs is ended by then and reported.
LIMIT_SECS = 300


def node() -> str:
    """The Node.js that runs TypeScript ranks."""
    found = os.environ.get("COBRE_NODE") or shutil.which("node")
    assert found is not None, "these tests need Node.js on the PATH"
    assert NODE_TESTS.exists(), "run `npm run build` first"
    return found


def python_command(program: str, *args: str) -> list[str]:
    return [sys.executable, str(PROGRAMS / program), *args]


def node_command(program: str, *args: str) -> list[str]:
    return [node(), str(NODE_TESTS / program), *args]


class Group:
    """The ranks of one group, by rank."""

    def __init__(
        self,
        backend: str,
        commands: Sequence[Sequence[str]],
        timeout_secs: float | Sequence[float] = 60,
        **variables: str,
    ) -> None:
        self.backend = backend
        self.said: list[list[dict[str, Any]]] = [[] for _ in commands]
        self._other_lines: list[list[str]] = [[] for _ in commands]
        self._errors: list[Any] = []
        self._news = threading.Condition()
        self.processes: list[subprocess.Popen[str]] = []
        listener = socket.create_server(("127.0.0.1", 0)) if backend == "tcp" else None
        if listener is not None:
            # As a launcher hands it over: rank 0 looks whether somebody has come, and never waits.
            listener.setblocking(False)
        name = f"/{SEGMENT_PREFIX}{secrets.token_hex(4)}"
        token = secrets.token_hex(16)
        for rank, command in enumerate(commands):
            place: dict[str, object] = {
                "RANK": rank,
                "SIZE": len(commands),
                "TIMEOUT_SECS": timeout_secs[rank]
                if isinstance(timeout_secs, Sequence)
                else timeout_secs,
            }
            if listener is not None:
                place["TOKEN"] = token
                place["COORDINATOR"] = f"127.0.0.1:{listener.getsockname()[1]}"
                if rank == 0:
                    # Rank 0 inherits the socket that listens: no other job can take the port.
                    place["LISTEN_FD"] = listener.fileno()
            else:
                place["NAME"] = name
            family = "COBRE_TCP" if backend == "tcp" else "COBRE_SHM"
            env = {
                **{key: value for key, value in os.environ.items() if "COBRE_" not in key},
                "PYTHONPATH": str(SOURCES),
                "PYTHONDONTWRITEBYTECODE": "1",
                "COBRE_COMM_BACKEND": backend,
                **{f"{family}_{key}": str(value) for key, value in place.items()},
                **variables,
            }
            errors = tempfile.TemporaryFile("w+")  # noqa: SIM115
            self._errors.append(errors)
            process = subprocess.Popen(
                command,
                env=env,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                pass_fds=[listener.fileno()] if listener is not None and rank == 0 else [],
            )
            self.processes.append(process)
            threading.Thread(target=self._read, args=(rank,), daemon=True).start()
        if listener is not None:
            listener.close()

    def _read(self, rank: int) -> None:
        output = self.processes[rank].stdout
        assert output is not None
        for line in output:
            if line.startswith("{"):
                with self._news:
                    self.said[rank].append(json.loads(line))
                    self._news.notify_all()
            else:
                self._other_lines[rank].append(line.rstrip())
        with self._news:
            self.said[rank].append({"said": "end of output"})
            self._news.notify_all()

    def until_all_said(self, what: str, ranks: Sequence[int] | None = None) -> None:
        """Waits until the ranks have said it; fails if one ends without."""
        chosen = range(len(self.processes)) if ranks is None else ranks
        deadline = time.monotonic() + LIMIT_SECS
        with self._news:
            for rank in chosen:
                while not any(line.get("said") == what for line in self.said[rank]):
                    ended = any(line.get("said") == "end of output" for line in self.said[rank])
                    assert not ended, f"rank {rank} ended\n{self.story()}"
                    assert time.monotonic() < deadline, f"rank {rank} hangs\n{self.story()}"
                    self._news.wait(1)

    def wait(self, ranks: Sequence[int] | None = None) -> list[int]:
        """The exit codes of the ranks; whoever hangs is killed first and has none of its own."""
        chosen = range(len(self.processes)) if ranks is None else ranks
        deadline = time.monotonic() + LIMIT_SECS
        codes = []
        for rank in chosen:
            try:
                codes.append(self.processes[rank].wait(max(0.1, deadline - time.monotonic())))
            except subprocess.TimeoutExpired:
                raise AssertionError(f"rank {rank} hangs\n{self.story()}") from None
            with self._news:
                while not any(line.get("said") == "end of output" for line in self.said[rank]):
                    self._news.wait(1)
        return codes

    def other_lines(self, rank: int) -> list[str]:
        """What the rank has printed that is not JSON."""
        return self._other_lines[rank]

    def stderr(self, rank: int) -> str:
        self._errors[rank].seek(0)
        text: str = self._errors[rank].read()
        return text

    def story(self) -> str:
        """Everything said, for a failure that has to be understood."""
        return "\n".join(
            f"rank {rank}: exit {process.poll()}, said {self.said[rank][-3:]}\n{self.stderr(rank)}"
            for rank, process in enumerate(self.processes)
        )

    def failure(self, rank: int) -> Failure:
        """How the rank said that it failed."""
        for line in self.said[rank]:
            if line.get("said") == "failed":
                return Failure(line["error"], line["next"])
        raise AssertionError(f"rank {rank} did not fail\n{self.story()}")

    def close(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()
        for errors in self._errors:
            errors.close()


class Failure(NamedTuple):
    """What a rank said about its failure."""

    error: dict[str, Any]
    #: What the next call said.
    next: str


@contextlib.contextmanager
def started(
    backend: str,
    commands: Sequence[Sequence[str]],
    timeout_secs: float | Sequence[float] = 60,
    **variables: str,
) -> Iterator[Group]:
    group = Group(backend, commands, timeout_secs, **variables)
    try:
        yield group
    finally:
        group.close()


def our_segments() -> list[str]:
    return [name for name in os.listdir("/dev/shm") if name.startswith(SEGMENT_PREFIX)]
