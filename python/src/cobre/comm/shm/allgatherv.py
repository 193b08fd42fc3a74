"""Allgatherv, in four ways, chosen by the length of the longest piece.

- inline: the lines carry the pieces. One step.
- in parts: every step carries a part of each rank's piece, until the piece ends. The first step is a meeting.
- directly: if ranks may read each other's memory. Two meetings.
- staged: very long pieces, in long parts through a memory of their own. One meeting more than the number of parts.
"""

from __future__ import annotations

from ..checks import Pieces
from ..errors import AllocationFailed
from ..fingerprint import ALLGATHERV, encode_call, stir_counts
from .direct import address_of, announce_address, read_address
from .group import READING_LAG, Group
from .layout import INLINE_BYTES, SLOT_BYTES
from .share_memory import share_memory
from .staging import STAGED_BYTES, STAGED_MIN_BYTES


def allgatherv(group: Group, pieces: Pieces) -> None:
    """Gathers every piece at its place in ``recv``."""
    counts, array_type = pieces.counts, pieces.pair.type
    call = (encode_call(ALLGATHERV, array_type.code), sum(counts), stir_counts(counts))
    group.open(*call)
    longest = max(counts) * array_type.item_bytes
    if longest <= INLINE_BYTES and array_type.item_bytes >= 4:
        _gather_inline(group, pieces)
    elif longest >= STAGED_MIN_BYTES and _can_stage(group, call):
        _gather_staged(group, pieces)
    elif longest >= group.direct_min_bytes:
        _gather_directly(group, pieces)
    else:
        _gather_in_parts(group, pieces)


def _place_own(group: Group, pieces: Pieces) -> None:
    at = pieces.displs[group.rank]
    pieces.pair.recv[at : at + pieces.pair.send.size] = pieces.pair.send


def _gather_inline(group: Group, pieces: Pieces) -> None:
    (send, recv, array_type), counts, displs = pieces
    step = group.next()
    group.inline(group.rank, step, array_type.dtype, send.size)[:] = send
    group.announce(step)
    group.meet(step)
    for r, (displ, count) in enumerate(zip(displs, counts, strict=True)):
        recv[displ : displ + count] = group.inline(r, step, array_type.dtype, count)


def _gather_in_parts(group: Group, pieces: Pieces) -> None:
    """Each rank writes its parts ahead of the ones it reads."""
    part = SLOT_BYTES // pieces.pair.type.item_bytes
    parts = max(1, -(-max(pieces.counts) // part))
    steps: list[int] = []
    for i in range(parts + READING_LAG):
        if i < parts:
            steps.append(_write_part(group, pieces, i * part, part))
        if i == 0:
            # The others have what they wait for, so there is time to copy this rank's own piece.
            _place_own(group, pieces)
        read = i - READING_LAG
        if read < 0:
            continue
        if read == 0:
            # No rank returns before all have contributed, even those with an empty piece.
            group.meet(steps[0])
        _read_parts(group, pieces, steps[read], read * part, part)


def _write_part(group: Group, pieces: Pieces, at: int, part: int) -> int:
    """Announces a step that carries the next part of this rank's piece, or nothing."""
    own = pieces.pair.send[at : at + part]
    step = group.next_with_slot()
    if own.size > 0:
        group.slot(group.rank, step, pieces.pair.type)[: own.size] = own
    group.announce(step)
    return step


def _read_parts(group: Group, pieces: Pieces, step: int, at: int, part: int) -> None:
    """Copies a part of each other rank's piece, unless the piece has ended."""
    (_, recv, array_type), counts, displs = pieces
    for i in range(1, group.size):
        r = (group.rank + i) % group.size
        count = min(part, counts[r] - at)
        if count <= 0:
            continue
        group.await_rank(r, step)
        place = displs[r] + at
        recv[place : place + count] = group.slot(r, step, array_type)[:count]


def _gather_directly(group: Group, pieces: Pieces) -> None:
    """Every rank announces the address of its piece, reads the others' pieces, and announces that it has read them."""
    (send, recv, array_type), counts, displs = pieces
    step = announce_address(group, send)
    _place_own(group, pieces)
    group.meet(step)
    for i in range(1, group.size):
        r = (group.rank + i) % group.size
        if counts[r] > 0:
            local = address_of(recv) + displs[r] * array_type.item_bytes
            bytes_to_read = counts[r] * array_type.item_bytes
            group.read_from(r, read_address(group, r, step), local, bytes_to_read)
    group.meet_all()


def _can_stage(group: Group, call: tuple[int, int, int]) -> bool:
    """Whether all ranks have memory for long parts. Ranks meet to decide when it is first needed."""
    staging = group.staging
    if not staging.is_decided:
        group.meet_all()  # makes sure that all are in this call
        try:
            staging.decide(share_memory(group, staging.room_bytes))
        except AllocationFailed:
            staging.decide(None)
        group.open(*call)
    return staging.has_room


def _gather_staged(group: Group, pieces: Pieces) -> None:
    """Every rank writes a part into its room, then reads that part of the others.

    A rank that announces a part has read the previous one. So once all have announced it, a rank may write the next one
    into the room of the previous one.
    """
    (send, recv, array_type), counts, displs = pieces
    part = STAGED_BYTES // array_type.item_bytes
    for i in range(-(-max(counts) // part)):
        at = i * part
        own = send[at : at + part]
        step = group.next()
        group.staging.part(group.rank, i, array_type)[: own.size] = own
        group.announce(step)
        place = displs[group.rank] + at
        recv[place : place + own.size] = own
        for k in range(1, group.size):
            r = (group.rank + k) % group.size
            group.await_rank(r, step)
            count = min(part, counts[r] - at)
            if count > 0:
                place = displs[r] + at
                recv[place : place + count] = group.staging.part(r, i, array_type)[:count]
    group.meet_all()
