"""Frames: a length, a tag and a payload. docs/wire-protocol.md describes them. Never renumber."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final, NamedTuple

from ..abort import ABORT_MISSING, AbortNotice

VERSION: Final = 4

#: The number of bytes that follow, tag included (big-endian), and the tag.
HEADER: Final = struct.Struct(">IB")
HEADER_BYTES: Final = HEADER.size

ALLGATHERV_SEND: Final = 0x01
ALLGATHERV_RECV: Final = 0x02
ALLREDUCE_SEND: Final = 0x03
ALLREDUCE_RECV: Final = 0x04
BROADCAST: Final = 0x05
BARRIER_READY: Final = 0x06
BARRIER_GO: Final = 0x07
HANDSHAKE: Final = 0x08
ACK: Final = 0x09
SHUTDOWN: Final = 0x0A
FINGERPRINT: Final = 0x0B
HELLO: Final = 0x0C
CHALLENGE: Final = 0x0D
REFUSAL: Final = 0x0E
ROSTER: Final = 0x0F
LINKS: Final = 0x10
ABORT: Final = 0x11
INQUIRY: Final = 0x12
WAITING: Final = 0x13

#: The longest payload of a control frame.
MAX_CONTROL_BYTES: Final = 4096
#: The longest payload of a data frame; longer messages are several frames.
MAX_FRAME_BYTES: Final = 1_048_576

#: Sequence number, call, length, history. The integers are i32 that wrap: unsigned here.
_FINGERPRINT: Final = struct.Struct("<IIdI")
FINGERPRINT_BYTES: Final = HEADER_BYTES + _FINGERPRINT.size

#: So that an abort fits into a control frame.
_MAX_TEXT_BYTES: Final = 1000
_MAX_NAMED_RANKS: Final = 700


def is_control(tag: int) -> bool:
    """Whether a frame is a control frame that belongs to no collective."""
    return tag == SHUTDOWN or ABORT <= tag <= WAITING


def header(tag: int, payload_bytes: int) -> bytes:
    """The header of a frame whose payload follows."""
    return HEADER.pack(payload_bytes + 1, tag)


def data_header(tag: int, op: int, payload_bytes: int) -> bytes:
    """The header of a data frame; the operation precedes operands."""
    if tag != ALLREDUCE_SEND:
        return HEADER.pack(payload_bytes + 1, tag)
    return HEADER.pack(payload_bytes + 2, tag) + bytes((op,))


def op_bytes(tag: int) -> int:
    """The number of bytes of the operation in a frame."""
    return 1 if tag == ALLREDUCE_SEND else 0


def frame(tag: int, *parts: bytes) -> bytes:
    """A whole frame."""
    payload = b"".join(parts)
    return header(tag, len(payload)) + payload


def words(*values: int) -> bytes:
    """32-bit numbers, little-endian like all numbers in control frames."""
    return struct.pack(f"<{len(values)}I", *values)


def numbers_of(payload: bytes) -> tuple[int, ...]:
    """The 32-bit numbers in a control frame."""
    count = len(payload) // 4
    return struct.unpack(f"<{count}I", payload[: 4 * count])


class CallNotice(NamedTuple):
    """The call that a rank announces."""

    sequence: int
    call: int
    length: float
    history: int


def encode_fingerprint(notice: CallNotice) -> bytes:
    """The frame that precedes the data of every call."""
    return frame(FINGERPRINT, _FINGERPRINT.pack(*notice))


def decode_fingerprint(payload: memoryview) -> CallNotice:
    """Reads the payload of a fingerprint frame."""
    return CallNotice(*_FINGERPRINT.unpack(payload))


def encode_abort(notice: AbortNotice) -> bytes:
    """The abort frame."""
    named: Sequence[int] = notice.missing_ranks[:_MAX_NAMED_RANKS]
    text = notice.text.encode()[:_MAX_TEXT_BYTES]
    return frame(ABORT, words(notice.code, len(named), *named), text)


def decode_abort(payload: bytes) -> AbortNotice:
    """Reads the payload of an abort frame. A malformed one names no ranks and has no text."""
    numbers = numbers_of(payload)
    if len(numbers) < 2:
        return AbortNotice(ABORT_MISSING, (), "")
    count = min(numbers[1], len(numbers) - 2)
    text = payload[8 + 4 * count :].decode(errors="replace")
    return AbortNotice(numbers[0], numbers[2 : 2 + count], text)
