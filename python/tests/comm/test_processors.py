"""Which processors ranks keep: the same tables as packages/comm/test/processors."""

from __future__ import annotations

import itertools
import os
import sys

import pytest

from cobre.comm.processors import (
    CoreKeeper,
    Whereabouts,
    decide,
    format_processors,
    has_processor_each,
    have_processor_each,
    parse_stat,
)


def runs(processor: int) -> Whereabouts:
    return Whereabouts(processor, True)


def sleeps(processor: int) -> Whereabouts:
    return Whereabouts(processor, False)


@pytest.mark.parametrize(
    ("allowed", "answer"),
    [
        ([[0, 1], [0, 1]], True),
        ([[0, 1], [0, 1], [0, 1]], False),
        ([[0], [1]], True),
        ([[0], [0]], False),
        ([[0], [0], [0, 1, 2, 3]], False),
        ([[0, 1], [1, 2], [0], [1, 2, 3]], True),
        ([[0, 1], [0, 1], [0, 1], [2, 3]], False),
    ],
)
def test_a_processor_for_each(allowed: list[list[int]], answer: bool) -> None:
    assert has_processor_each(allowed) is answer


@pytest.mark.parametrize(
    ("allowed", "awaited", "taken", "has_just_moved", "decision"),
    [
        ([0, 1], [runs(1)], [0], False, "look"),
        ([0, 1], [sleeps(0)], [0], False, "look"),
        ([0, 1], [], [0], False, "look"),
        ([0, 1], [runs(0)], [0], False, {1}),
        ([0, 1], [runs(1), runs(0)], [0, 1], False, {1}),
        ([0], [runs(0)], [0], False, "let go"),
        ([0, 1, 2, 3], [runs(0)], [0, 2], False, {1, 3}),
        ([0, 1, 2], [runs(0)], [0, 1, 2], False, {1, 2}),
        ([0, 1], [runs(0)], [0], True, "let go"),
        ([0, 1], [runs(1)], [0], True, "look"),
    ],
)
def test_when_a_rank_on_processor_0_moves(
    allowed: list[int],
    awaited: list[Whereabouts],
    taken: list[int],
    has_just_moved: bool,
    decision: object,
) -> None:
    assert decide(0, allowed, awaited, lambda: taken, has_just_moved) == decision


def test_stat_files() -> None:
    rest = "1 " * 35 + "3 0 0\n"
    assert parse_stat(f"8 (a) R 1 ) R {rest}") == Whereabouts(3, True)
    assert parse_stat(f"8 (node) S {rest}") == Whereabouts(3, False)
    assert parse_stat("") is None


def test_lists() -> None:
    assert format_processors({8, 0, 1, 3, 2}) == "0-3,8"


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
def test_what_the_launcher_says_counts_only_while_it_is_true() -> None:
    own = format_processors(os.sched_getaffinity(0))
    said = {"COBRE_LAUNCH_SIZE": "5000", "COBRE_LAUNCH_PROCESSORS": own}
    unknown = [None] * 5000
    assert have_processor_each(unknown, 0, said)
    assert not have_processor_each(unknown, 0, {**said, "COBRE_LAUNCH_PROCESSORS": "9999"})
    assert not have_processor_each(unknown, 0, {**said, "COBRE_LAUNCH_SIZE": "2"})
    assert not have_processor_each(unknown, 0, {})


@pytest.mark.parametrize("round_secs", [0.00001, 0.004, 1.0])
def test_a_rank_looks_for_a_while_and_then_sleeps(
    monkeypatch: pytest.MonkeyPatch, round_secs: float
) -> None:
    clock = itertools.count()
    monkeypatch.setattr("time.monotonic", lambda: round_secs * next(clock))
    keeper = CoreKeeper([None, None])
    keeper.begin()
    advices = list(itertools.islice(iter(lambda: keeper.advise(list), "sleep"), 5000))
    # A round that was interrupted counts as one of the two turns.
    assert len(advices) == 1 if round_secs > 0.001 else 100 < len(advices) < 5000
    assert set(advices) == {"look"}
