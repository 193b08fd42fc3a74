"""What the tests of training share: cases, and a watch over what is left behind."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import cobre

ROOT = Path(__file__).resolve().parents[3]
CASES = ROOT / "examples" / "cases"
MARK = "COBRE_TEST_MARK"


@pytest.fixture(scope="session")
def cases() -> Path:
    """The example cases."""
    return CASES


@pytest.fixture(scope="session")
def quick() -> Callable[..., dict[str, Any]]:
    """Settings of a short training."""

    def settings(iterations: int, forward_passes: int = 3) -> dict[str, Any]:
        rules = [{"type": "iteration_limit", "limit": iterations}]
        return {"training": {"stopping_rules": rules, "forward_passes": forward_passes}}

    return settings


@pytest.fixture
def write_case(tmp_path: Path) -> Callable[[str, str, str], Path]:
    """Copies the case of one reservoir and replaces a text in one of its files."""

    def write(file: str, old: str, new: str) -> Path:
        case = tmp_path / "case"
        if not case.exists():
            shutil.copytree(CASES / "one-reservoir", case)
        text = (case / file).read_text()
        assert old in text
        (case / file).write_text(text.replace(old, new))
        return case

    return write


@pytest.fixture
def infeasible(write_case: Callable[[str, str, str], Path]) -> Path:
    """A lake that must keep more water in the first month than it can have."""
    unchanged = '"min_storage_hm3": 0'
    case = write_case("system/hydros.json", unchanged, unchanged)
    (case / "constraints").mkdir(exist_ok=True)
    bounds = "hydro_id,stage_id,min_storage_hm3\n0,0,320\n"
    (case / "constraints" / "hydro_bounds.csv").write_text(bounds)
    return case


class Watch:
    """Knows the processes that a test has started: they carry its mark."""

    def __init__(self, mark: str) -> None:
        self.mark = mark

    def processes(self) -> list[int]:
        """Those that run now, but for the one that runs the test."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                is_ours = self.mark.encode() in (entry / "environ").read_bytes()
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue  # it ended in between, or is not ours to read
            if is_ours and state != "Z":
                found.append(int(entry.name))
        return found

    def segment_of(self, pid: int) -> Path:
        """The shared memory of a worker."""
        variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        name = next(text for text in variables if text.startswith(b"COBRE_SHM_NAME="))
        return Path("/dev/shm" + name.decode().partition("=")[2])

    def wait_until_gone(self, seconds: float = 20.0) -> None:
        """Waits for the end of all processes; fails after a time that only a hang takes."""
        limit = time.monotonic() + seconds
        while (left := self.processes()) and time.monotonic() < limit:
            time.sleep(0.02)
        assert left == []


@pytest.fixture(autouse=True)
def watch(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Watch]:
    """Fails a test that leaves a process or a temporary file."""
    folder = tmp_path_factory.mktemp("temporary")
    mark = uuid.uuid4().hex
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setenv(MARK, mark)
    # Programs that a test starts use the package that it tests.
    monkeypatch.setenv("PYTHONPATH", str(Path(cobre.__file__).parents[1]))
    monkeypatch.setattr(tempfile, "tempdir", None)
    watcher = Watch(mark)
    yield watcher
    gc.collect()  # a result that a failed call holds on to ends here
    assert watcher.processes() == []
    assert list(folder.iterdir()) == []
