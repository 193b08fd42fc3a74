"""Ctrl-C, and the end of Python itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cobre
from scope import rest

Settings = Callable[..., dict[str, Any]]

PROGRAM = """
import sys, cobre
case, workers, output = sys.argv[1:]
rules = [{"type": "iteration_limit", "limit": 100_000}]
def listen(event):
    if isinstance(event, cobre.events.IterationDone):
        print("iteration", event.record.iteration, flush=True)
try:
    cobre.train(case, num_workers=int(workers), output=output, progress=listen,
                config={"training": {"stopping_rules": rules}})
except cobre.TrainingInterrupted as stopped:
    print("stopped", stopped.result.iterations, flush=True)
    raise
"""


@pytest.mark.parametrize("num_workers", [1, rest(2)])
def test_keyboard_interrupt_leaves_a_checkpoint_to_resume_from(
    cases: Path, quick: Settings, num_workers: int, tmp_path: Path
) -> None:
    def interrupt(event: cobre.events.Event) -> None:
        if isinstance(event, cobre.events.IterationDone):
            signal.raise_signal(signal.SIGINT)

    case, output = cases / "one-reservoir", tmp_path / "out"
    with pytest.raises(KeyboardInterrupt) as caught:
        cobre.train(
            case, num_workers=num_workers, config=quick(400), progress=interrupt, output=output
        )
    assert isinstance(caught.value, cobre.TrainingInterrupted)
    stopped = caught.value.result
    assert stopped is not None and stopped.termination == "interrupted"
    assert 1 <= stopped.iterations < 400 and not stopped.is_complete
    limit = stopped.iterations + 2
    resumed = cobre.train(case, num_workers=2, config=quick(limit), output=output, resume=True)
    whole = cobre.train(case, config=quick(limit))
    assert resumed.iterations == limit
    assert resumed.lower_bound == whole.lower_bound
    assert all(
        mine.coefficients.tobytes() == other.coefficients.tobytes()
        for mine, other in zip(resumed.cuts, whole.cuts, strict=True)
    )


def test_checkpoint_in_a_temporary_directory_lives_with_the_exception(
    cases: Path, quick: Settings
) -> None:
    def interrupt(event: cobre.events.Event) -> None:
        if isinstance(event, cobre.events.IterationDone):
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(cobre.TrainingInterrupted) as caught:
        cobre.train(cases / "one-reservoir", config=quick(400), progress=interrupt)
    assert caught.value.result is not None
    assert (caught.value.result.output / "policy" / "policy.bin").exists()


@pytest.mark.parametrize("num_workers", [1, rest(2)])
def test_second_interrupt_does_not_wait_for_the_iteration(
    cases: Path, quick: Settings, num_workers: int
) -> None:
    again = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))

    def interrupt(event: cobre.events.Event) -> None:
        if isinstance(event, cobre.events.TrainingStarted):
            again.start()
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(cobre.TrainingInterrupted, match="before the first checkpoint") as caught:
        cobre.train(  # its first iteration would take an hour
            cases / "four-regions",
            num_workers=num_workers,
            config=quick(1, 20_000),
            progress=interrupt,
        )
    assert caught.value.result is None


@pytest.mark.parametrize("num_workers", [1, rest(2)])
def test_keyboard_interrupt_leaves_no_half_simulation(
    cases: Path, quick: Settings, num_workers: int, tmp_path: Path
) -> None:
    def interrupt(event: cobre.events.Event) -> None:
        if isinstance(event, cobre.events.ScenarioDone):
            signal.raise_signal(signal.SIGINT)

    case, output = cases / "one-reservoir", tmp_path / "out"
    cobre.train(case, config=quick(2), output=output)
    with pytest.raises(KeyboardInterrupt):
        cobre.simulate(
            case,
            output,
            scenarios=1_000_000,
            num_workers=num_workers,
            progress=interrupt,
            output=output,
        )
    assert sorted(entry.name for entry in output.iterdir()) == [".cobre-run", "policy", "training"]
    assert cobre.simulate(case, output, scenarios=2, output=output).scenarios == 2


def start(case: Path, num_workers: int, output: Path) -> subprocess.Popen[str]:
    """Python that trains, once the first iteration is done."""
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(case), str(num_workers), str(output)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline().startswith("iteration 1")
    return child


@pytest.mark.parametrize("num_workers", [2, rest(1)])
def test_sigint_of_a_terminal(cases: Path, num_workers: int, tmp_path: Path, watch: Any) -> None:
    child = start(cases / "one-reservoir", num_workers, tmp_path / "out")
    child.send_signal(signal.SIGINT)
    told, _ = child.communicate(timeout=60)
    assert "stopped" in told.splitlines()[-1]
    assert child.returncode != 0
    assert watch.processes() == []
    assert cobre.read_policy(tmp_path / "out").iterations >= 1


@pytest.mark.parametrize("num_workers", [2, rest(1)])
def test_python_that_is_killed_leaves_no_worker(
    cases: Path, num_workers: int, tmp_path: Path, watch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Who is killed cannot remove its temporary files.
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    child = start(cases / "one-reservoir", num_workers, tmp_path / "out")
    child.kill()
    child.communicate()
    watch.wait_until_gone()
    assert (tmp_path / "out" / "policy" / "policy.bin").exists()
