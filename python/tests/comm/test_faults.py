"""What the others see when a rank misbehaves, in groups that mix languages."""

from __future__ import annotations

import json
import re
import signal
from typing import Any

import pytest

from scope import rest

from .groups import Group, node_command, our_segments, python_command, started

BACKENDS = ["tcp", "shm"]

MISMATCHES = [
    "operation",
    "long length",
    "short and long",
    "root",
    "counts",
    "number of calls",
    "size of a region",
    rest("array type"),
    rest("reduce operation"),
    rest("short length"),
    rest("broadcast length"),
    rest("long broadcast length"),
    rest("broadcast and barrier"),
    rest("the last of many broadcasts"),
]

#: How a rank in Python ends, and what the others say about it.
ENDINGS = {
    "throw": "uncaught TypeError: a mistake in the program",
    "exit": "exited with code 3",
    "vanish": "died",
    "abort": "rank 2 ended: it has had enough",
    "close": "rank 2 has closed",
    "finish": "rank 2 has closed",
}

QUICK_ENDINGS = {"throw", "vanish", "close"}


def commands(mix: str, scenario: dict[str, Any]) -> list[list[str]]:
    text = json.dumps(scenario)
    return [
        python_command("fault_rank.py", text)
        if language == "P"
        else node_command("faults/rank.js", text)
        for language in mix
    ]


@pytest.fixture(autouse=True)
def nothing_is_left() -> Any:
    yield
    assert our_segments() == []


def check_survivors(group: Group, victim: int, story: str) -> None:
    survivors = [rank for rank in range(len(group.processes)) if rank != victim]
    group.until_all_said("failed", survivors)
    for rank in survivors:
        error = group.failure(rank).error
        assert error["kind"] == "CollectiveFailed", story
        assert error["missingRanks"] == [victim], f"{story}: {error['message']}"
        assert group.failure(rank).next == "InvalidCommunicator broken"


@pytest.mark.parametrize("name", MISMATCHES)
@pytest.mark.parametrize("mix", ["PTP", rest("TPP"), rest("PTT")])
@pytest.mark.parametrize("backend", BACKENDS)
def test_mismatch_fails_on_every_rank(backend: str, mix: str, name: str) -> None:
    with started(backend, commands(mix, {"kind": "mismatch", "name": name})) as group:
        group.until_all_said("failed")
        for rank in range(len(mix)):
            error, following = group.failure(rank)
            assert error["kind"] == "CollectiveFailed"
            assert re.search(r"rank \d .*call.* rank \d", error["message"]), error["message"]
            assert following == "InvalidCommunicator broken"


@pytest.mark.parametrize("how", [how if how in QUICK_ENDINGS else rest(how) for how in ENDINGS])
@pytest.mark.parametrize("mix", ["PTP", rest("TTP")])
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_rank_that_ends_is_named(backend: str, mix: str, how: str) -> None:
    with started(backend, commands(mix, {"kind": "ending", "how": how})) as group:
        check_survivors(group, 2, how)
        for rank in (0, 1):
            assert ENDINGS[how] in group.failure(rank).error["message"], group.story()


@pytest.mark.parametrize(
    "operation", ["allreduce", "broadcast", *map(rest, ["barrier", "allgatherv", "region"])]
)
@pytest.mark.parametrize(
    ("mix", "victim"), [("TPT", 1), rest("PTT", 0), rest("TPP", 0), rest("PTP", 1)]
)
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_killed_rank_is_named(backend: str, mix: str, victim: int, operation: str) -> None:
    for count in (8, 1_000_000):
        scenario = {"kind": "loop", "operation": operation, "bytes": count}
        with started(backend, commands(mix, scenario)) as group:
            group.until_all_said("ready")
            group.processes[victim].kill()
            check_survivors(group, victim, f"{operation} of {count} bytes")
            for rank in range(len(mix)):
                if rank != victim:
                    # Found out at once, and not by the end of patience.
                    message = group.failure(rank).error["message"]
                    assert "died" in message or "could not be read" in message, message


@pytest.mark.rest
@pytest.mark.parametrize(("mix", "victim"), [("PTP", 1), ("TPT", 1), ("PTT", 0)])
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_stopped_rank_is_named(backend: str, mix: str, victim: int) -> None:
    scenario = {"kind": "loop", "operation": "allreduce", "bytes": 1024}
    # The limit is also that of coming together, which takes seconds on a busy machine.
    with started(backend, commands(mix, scenario), timeout_secs=8) as group:
        group.until_all_said("ready")
        group.processes[victim].send_signal(signal.SIGSTOP)
        check_survivors(group, victim, "stopped")
        for rank, process in enumerate(group.processes):
            if rank != victim:
                process.wait(30)
        assert "has waited" in "".join(group.stderr(rank) for rank in range(3))


def test_who_waits_for_a_sleeper_is_not_named_with_it() -> None:
    # Rank 2 has sent its array and waits for rank 0 to have read it; rank 1 has, and waits for both.
    scenario = {"kind": "loop", "operation": "broadcast", "bytes": 1_000_000, "nappers": [0]}
    with started("shm", commands("TPT", scenario), timeout_secs=(60, 8, 60)) as group:
        check_survivors(group, 0, "asleep")


@pytest.mark.parametrize("backend", BACKENDS)
def test_ctrl_c_leaves_the_group(backend: str) -> None:
    scenario = {"kind": "loop", "operation": "allgatherv", "bytes": 100_000}
    with started(backend, commands("TPP", scenario)) as group:
        group.until_all_said("ready")
        group.processes[1].send_signal(signal.SIGINT)
        check_survivors(group, 1, "interrupted")
        assert group.wait([1]) != [0]
        for rank in (0, 2):
            assert "KeyboardInterrupt" in group.failure(rank).error["message"], group.story()


@pytest.mark.parametrize("backend", ["tcp", rest("shm")])
def test_a_late_rank_holds_nobody_up_for_good(backend: str) -> None:
    scenario = {"kind": "late", "milliseconds": 5000}
    with started(backend, commands("PTP", scenario), timeout_secs=8) as group:
        assert group.wait() == [0, 0, 0], group.story()
        assert re.search(r"rank 0 has waited \d s in allreduce for rank", group.stderr(0))
