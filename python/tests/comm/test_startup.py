"""How groups come together, or say why they do not, with ranks of both languages."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest

from cobre.comm.tcp.handshake import encode_refusal
from scope import rest

from .groups import SEGMENT_PREFIX, SOURCES, node_command, our_segments, python_command

Rank = subprocess.Popen[str]


class Starter:
    """Starts ranks one by one, each with a configuration of its own."""

    def __init__(self) -> None:
        self.ranks: list[Rank] = []
        self.name = f"/{SEGMENT_PREFIX}{secrets.token_hex(4)}"
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]

    def _start(self, command: list[str]) -> Rank:
        env = {key: value for key, value in os.environ.items() if "COBRE_" not in key}
        env |= {"PYTHONPATH": str(SOURCES), "PYTHONDONTWRITEBYTECODE": "1"}
        pipe = subprocess.PIPE
        self.ranks.append(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=env))
        return self.ranks[-1]

    def python(self, backend: str, **place: Any) -> Rank:
        return self._start(python_command("join_rank.py", json.dumps({"backend": backend} | place)))

    def node(self, kind: str, **config: Any) -> Rank:
        text = json.dumps({"kind": kind, "config": config})
        return self._start(node_command("join-rank.js", text))

    def shm(self, language: str, rank: int, size: int, timeout: float = 20) -> Rank:
        if language == "P":
            return self.python("shm", name=self.name, rank=rank, size=size, timeout=timeout)
        return self.node("shm", name=self.name, rank=rank, size=size, timeoutSecs=timeout)

    def tcp(
        self, language: str, rank: int, size: int, timeout: float = 20, token: str = "right"
    ) -> Rank:
        place: dict[str, Any] = {"rank": rank, "size": size, "port": self.port, "token": token}
        place |= {"coordinator": "localhost"} if rank > 0 else {}
        if language == "P":
            return self.python("tcp", bind_address="127.0.0.1", timeout=timeout, **place)
        return self.node("tcp", bindAddress="127.0.0.1", timeoutSecs=timeout, **place)


@pytest.fixture
def start() -> Iterator[Starter]:
    starter = Starter()
    yield starter
    for rank in starter.ranks:
        if rank.poll() is None:
            rank.kill()
        rank.communicate()
    assert our_segments() == []


def answer_of(rank: Rank) -> dict[str, Any]:
    output, errors = rank.communicate(timeout=120)
    assert output, errors
    answer: dict[str, Any] = json.loads(output)
    return answer


@pytest.mark.parametrize("mix", ["PTP", rest("TPT"), rest("PPP")])
@pytest.mark.parametrize("backend", ["tcp", "shm"])
def test_ranks_join_in_any_order(start: Starter, backend: str, mix: str) -> None:
    begin = getattr(start, backend)
    ranks = [begin(mix[r], r, 3) for r in (2, 0, 1)]
    assert [answer_of(rank) for rank in ranks] == [{"joined": 3}] * 3


@pytest.mark.parametrize("mix", ["PT", rest("TP")])
@pytest.mark.parametrize("backend", ["shm", rest("tcp")])
def test_a_rank_that_never_comes_is_named_by_all(start: Starter, backend: str, mix: str) -> None:
    begin = getattr(start, backend)
    for rank in [begin(mix[r], r, 3, timeout=6) for r in (0, 1)]:
        error = answer_of(rank)["error"]
        assert error["kind"] == "InitializationFailed"
        assert error["missingRanks"] == [2], error["message"]
        assert "rank 2 did not come within 6 s" in error["message"]


@pytest.mark.parametrize("backend", ["tcp", "shm"])
def test_without_rank_0_the_others_name_it(start: Starter, backend: str) -> None:
    error = answer_of(getattr(start, backend)("P", 1, 2, timeout=0.6))["error"]
    assert error["missingRanks"] == [0]
    assert "rank 0" in error["message"] and "0.6 s" in error["message"]


@pytest.mark.parametrize("languages", ["PT", rest("TP")])
@pytest.mark.parametrize("backend", ["tcp", "shm"])
def test_sizes_that_disagree_are_told_apart(start: Starter, backend: str, languages: str) -> None:
    begin = getattr(start, backend)
    first = begin(languages[0], 0, 2)
    wrong = answer_of(begin(languages[1], 1, 3))["error"]
    assert "All must be told the same size" in wrong["message"]
    right = begin(languages[1], 1, 2)
    assert [answer_of(first), answer_of(right)] == [{"joined": 2}] * 2


@pytest.mark.parametrize("languages", ["PT", "TP"])
def test_another_token_is_refused_and_the_group_comes_together(
    start: Starter, languages: str
) -> None:
    first = start.tcp(languages[0], 0, 2)
    wrong = answer_of(start.tcp(languages[1], 1, 2, token="wrong"))["error"]
    assert wrong["kind"] == "InitializationFailed"
    assert "its token is not that of rank 0" in wrong["message"]
    right = start.tcp(languages[1], 1, 2)
    assert [answer_of(first), answer_of(right)] == [{"joined": 2}] * 2


def refuse_next(server: socket.socket, text: bytes) -> None:
    """Says no to whoever comes next, without knowing the token, and waits until they have gone."""
    stranger, _ = server.accept()
    with stranger:
        stranger.sendall(encode_refusal(text))
        while stranger.recv(4096):
            pass


def test_somebody_who_refuses_in_the_place_of_rank_0_ends_nobody(start: Starter) -> None:
    with socket.create_server(("127.0.0.1", start.port)) as server:
        worker = start.tcp("P", 1, 2)
        refuse_next(server, b"go away")
    first = start.tcp("P", 0, 2)
    assert [answer_of(first), answer_of(worker)] == [{"joined": 2}] * 2


@pytest.mark.parametrize("language", ["P", "T"])
def test_what_a_stranger_says_comes_to_the_terminal_as_one_plain_line(
    start: Starter, language: str
) -> None:
    place = {"rank": 1, "size": 2, "port": start.port, "coordinator": "127.0.0.1"}
    with socket.create_server(("127.0.0.1", start.port)) as server:
        worker = start.python("tcp", **place) if language == "P" else start.node("tcp", **place)
        refuse_next(server, "\x1b[2J\x07evil\r\nline é".encode())
    assert answer_of(worker)["error"]["message"].endswith("refused this rank: [2J evil line é")


def test_strangers_cost_the_job_nothing(start: Starter) -> None:
    first = start.tcp("P", 0, 2)
    strangers: list[socket.socket] = []
    deadline = time.monotonic() + 60
    while len(strangers) < 20:
        try:
            stranger = socket.create_connection(("127.0.0.1", start.port))
        except ConnectionRefusedError:
            assert time.monotonic() < deadline
            time.sleep(0.02)
            continue
        stranger.sendall(b"\xff\xff\xff\xff\x0c garbage" if len(strangers) % 2 else b"GET / HTTP")
        strangers.append(stranger)
    second = start.tcp("T", 1, 2)
    assert [answer_of(first), answer_of(second)] == [{"joined": 2}] * 2
    for stranger in strangers:
        stranger.close()


@pytest.mark.parametrize("languages", ["PT", "TP"])
def test_a_second_rank_0_is_refused_and_the_first_goes_on(start: Starter, languages: str) -> None:
    first = start.shm(languages[0], 0, 2)
    path = f"/dev/shm{start.name}"
    deadline = time.monotonic() + 60
    while not os.path.exists(path) or os.stat(path).st_size == 0:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    refused = answer_of(start.shm(languages[1], 0, 2))["error"]
    assert "is in use" in refused["message"]
    second = start.shm(languages[1], 1, 2)
    assert [answer_of(first), answer_of(second)] == [{"joined": 2}] * 2


@pytest.mark.parametrize(("left_by", "taken_by"), ["TP", "PT"])
def test_what_a_killed_rank_0_has_left_is_reclaimed(
    start: Starter, left_by: str, taken_by: str
) -> None:
    killed = start.shm(left_by, 0, 2)
    deadline = time.monotonic() + 60
    while not our_segments():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    killed.kill()
    killed.communicate()
    assert our_segments() != []
    ranks = [start.shm(taken_by, 0, 2), start.shm(left_by, 1, 2)]
    assert [answer_of(rank) for rank in ranks] == [{"joined": 2}] * 2


def test_somebody_elses_file_of_that_name_is_left_alone(start: Starter) -> None:
    path = f"/dev/shm{start.name}"
    with open(path, "wb") as file:
        file.write(b"something else" * 100)
    try:
        error = answer_of(start.shm("P", 0, 2))["error"]
        assert "not one of ours" in error["message"]
        assert os.path.getsize(path) == 1400
    finally:
        os.unlink(path)


def test_a_port_in_use_is_told(start: Starter) -> None:
    with socket.create_server(("127.0.0.1", start.port)):
        error = answer_of(start.tcp("P", 0, 2))["error"]
    assert f"127.0.0.1:{start.port} is in use" in error["message"]
