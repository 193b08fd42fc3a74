"""Which processors ranks may use and are on, and how a rank keeps its own while it waits.

The rules are those of packages/comm/src/processors; docs/shm-protocol.md describes them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from .machine import available_cores

#: What the kernel does is only known on Linux.
_HAS_AFFINITY: Final = hasattr(os, "sched_setaffinity")

#: How many turns of the scheduler a rank looks before it lets its processor go.
_TURNS: Final = 2
#: A turn where the kernel does not say, and the limits for what it says.
_USUAL_TURN_SECS: Final = 0.004
_SHORTEST_TURN_SECS: Final = 0.001
_LONGEST_TURN_SECS: Final = 0.01

#: When a waiting rank first looks where the others are, and how often it looks again.
_FIRST_SURVEY_SECS: Final = 0.0002
_SURVEY_EVERY_SECS: Final = 0.001

#: A round of looks that takes longer was interrupted: another program had this processor.
_LONGEST_ROUND_SECS: Final = 0.0003

#: At most so many ranks are looked for.
_MOST_OBSERVED: Final = 32

#: The place of ``processor`` among the fields of a stat file that follow the name.
_PROCESSOR_FIELD: Final = 36

#: What to do next.
Advice = Literal["look", "let go", "sleep"]


class Whereabouts(NamedTuple):
    """Where a process was at a moment, and whether it ran or wanted to."""

    processor: int
    is_runnable: bool


def parse_stat(line: str) -> Whereabouts | None:
    """Reads a line of ``/proc/<pid>/stat``. The name, in brackets, may contain anything."""
    fields = line[line.rfind(")") + 2 :].split()
    if len(fields) <= _PROCESSOR_FIELD or not fields[_PROCESSOR_FIELD].isdigit():
        return None
    return Whereabouts(int(fields[_PROCESSOR_FIELD]), fields[0] == "R")


def whereabouts_of(pid: int | str) -> Whereabouts | None:
    """Where a process is; None if it cannot be seen from here."""
    try:
        with open(f"/proc/{pid}/stat", encoding="latin-1") as file:
            return parse_stat(file.read())
    except OSError:
        return None


def process_namespace() -> int:
    """A number for the process namespace of this process; 0 if there is none."""
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0


def has_processor_each(allowed: Sequence[Iterable[int]]) -> bool:
    """Whether every rank can have a processor to itself, where rank r may use ``allowed[r]``."""
    sets = [frozenset(processors) for processors in allowed]
    if len(set(sets)) <= 1:
        return not sets or len(sets) <= len(sets[0])
    holders: dict[int, int] = {}

    def find(rank: int, asked: set[int]) -> bool:
        for processor in sets[rank]:
            if processor in asked:
                continue
            asked.add(processor)
            holder = holders.get(processor)
            if holder is None or find(holder, asked):
                holders[processor] = rank
                return True
        return False

    return all(find(rank, set()) for rank in range(len(sets)))


def have_processor_each(
    pids: Sequence[int | None], own: int, environment: Mapping[str, str] = os.environ
) -> bool:
    """Whether each of these processes can have a processor to itself; None for those that cannot be seen."""
    allowed: list[Iterable[int]] = []
    for i, pid in enumerate(pids):
        if _HAS_AFFINITY and (i == own or pid is not None):
            try:
                allowed.append(os.sched_getaffinity(0 if i == own else pid or 0))
            except OSError:
                break
    if len(allowed) == len(pids):
        return has_processor_each(allowed)
    return _is_bound_by_launcher(len(pids), environment) or len(pids) <= available_cores()


def _is_bound_by_launcher(ranks: int, environment: Mapping[str, str]) -> bool:
    """Whether our launcher gave each of the ranks processors of its own."""
    given = environment.get("COBRE_LAUNCH_PROCESSORS")
    if given is None or environment.get("COBRE_LAUNCH_SIZE") != str(ranks):
        return False
    return _HAS_AFFINITY and given == format_processors(os.sched_getaffinity(0))


def format_processors(processors: Iterable[int]) -> str:
    """The shortest list, as the kernel writes it: ``0-3,8``."""
    parts: list[list[int]] = []
    for processor in sorted(processors):
        if parts and parts[-1][1] == processor - 1:
            parts[-1][1] = processor
        else:
            parts.append([processor, processor])
    return ",".join(f"{a}" if a == b else f"{a}-{b}" for a, b in parts)


def decide(
    own: int,
    allowed: Iterable[int],
    awaited: Iterable[Whereabouts],
    taken: Callable[[], Iterable[int]],
    has_just_moved: bool,
) -> Literal["look", "let go"] | frozenset[int]:
    """Whether a waiting rank is in the way of one that it waits for, and where it should move then."""
    if not any(rank.is_runnable and rank.processor == own for rank in awaited):
        return "look"
    others = frozenset(allowed) - {own}
    # Ranks that move to and fro would never meet: the second time, one of them lets go.
    if not others or has_just_moved:
        return "let go"
    return others - frozenset(taken()) or others


def keeps_cores(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether ranks that have a core each keep it while they wait."""
    return environment.get("COBRE_COMM_WAITING") != "brief"


class CoreKeeper:
    """How a rank waits that has a processor to itself; core-keeper.ts tells why."""

    def __init__(self, pids: Sequence[int | None]) -> None:
        self._pids = pids
        self._turn = _turn_secs()
        self._can_move = _HAS_AFFINITY
        self._looked = 0.0
        self._round_at = 0.0
        self._next_survey = 0.0
        self._moved_at = float("-inf")

    def begin(self) -> None:
        """A rank has looked for the first microseconds, in vain."""
        self._looked = 0.0
        self._next_survey = _FIRST_SURVEY_SECS
        self._round_at = time.monotonic()

    def advise(self, awaited: Callable[[], Sequence[int]]) -> Advice:
        """A round of looks was in vain. ``awaited`` lists the ranks that this one waits for."""
        now = time.monotonic()
        round_secs, self._round_at = now - self._round_at, now
        was_interrupted = round_secs > _LONGEST_ROUND_SECS
        # A rank that was interrupted has had its turn, however long it did not run. Where many programs
        # want this processor, it soon lets them.
        self._looked += self._turn if was_interrupted else round_secs
        if self._looked >= _TURNS * self._turn:
            return "sleep"
        if self._looked < self._next_survey and not was_interrupted:
            return "look"
        self._next_survey = self._looked + _SURVEY_EVERY_SECS
        advice = self._survey(now, awaited())
        # What this took is no interruption.
        self._round_at = time.monotonic()
        return advice

    def _survey(self, now: float, awaited: Sequence[int]) -> Advice:
        own = whereabouts_of("self") if self._can_move else None
        if own is None:
            return "look"
        places = self._places(awaited[:_MOST_OBSERVED])
        allowed = os.sched_getaffinity(0)
        decision = decide(
            own.processor,
            allowed,
            places,
            lambda: [
                place.processor
                for place in self._places(range(min(len(self._pids), _MOST_OBSERVED)))
            ],
            now - self._moved_at < self._turn,
        )
        if isinstance(decision, str):
            return decision
        try:
            os.sched_setaffinity(0, decision)
            os.sched_setaffinity(0, allowed)
        except OSError:
            self._can_move = False
            return "let go"
        self._moved_at = time.monotonic()
        return "look"

    def _places(self, ranks: Iterable[int]) -> list[Whereabouts]:
        found = (whereabouts_of(pid) for r in ranks if (pid := self._pids[r]) is not None)
        return [place for place in found if place is not None]


def _turn_secs() -> float:
    """How long a process keeps its processor while another waits for it: its slice, and a tick."""
    try:
        tick = time.clock_getres(6)  # CLOCK_MONOTONIC_COARSE
        slice_secs = os.sched_rr_get_interval(0)
    except (AttributeError, OSError):
        return _USUAL_TURN_SECS
    return min(max(slice_secs + tick, _SHORTEST_TURN_SECS), _LONGEST_TURN_SECS)
