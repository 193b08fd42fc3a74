"""The frames of a new connection: hello, challenge, handshake, ack."""

from __future__ import annotations

import struct
import unicodedata
from typing import Final, NamedTuple

from .proof import NONCE_BYTES, PROOF_BYTES
from .wire import CHALLENGE, HELLO, REFUSAL, ROSTER, VERSION, frame, words

_MAGIC: Final = b"CoBr"
_BYTE_ORDER: Final = struct.pack("=I", 0x01020304)

#: The longest frame before both sides have proven who they are.
MAX_HANDSHAKE_BYTES: Final = 512

PURPOSE_JOIN: Final = 0

#: What a connection goes through; ranks in Python use the network alone.
CHANNEL_NETWORK: Final = 0

#: The random part of the name of a Unix socket; all zeros mean that there is none.
NO_NAME: Final = bytes(16)

_INTRODUCTION: Final = struct.Struct("<IIQIIII16s")
_ACK: Final = struct.Struct("<II")
_JOB_NONCE_BYTES: Final = 32
_LONGEST_TEXT: Final = 300


class Introduction(NamedTuple):
    """The identity and purpose of a connecting process."""

    rank: int
    size: int
    #: A number that is the same for all processes of one machine.
    machine: int
    #: Where other workers can connect. A Python rank states 0, because it connects only to rank 0.
    port: int
    purpose: int
    #: The rank that is meant: a proof made for it is none for another.
    target: int = 0
    channel: int = CHANNEL_NETWORK
    #: The name for ranks of the same machine; a Python rank has none.
    name: bytes = NO_NAME


class Misfit(Exception):
    """The other side speaks this protocol, but does not fit; the text says why."""


def encode_hello(nonce: bytes) -> bytes:
    """The first frame of the side that has connected."""
    return frame(HELLO, _MAGIC, words(VERSION), _BYTE_ORDER, nonce)


def decode_hello(payload: bytes) -> bytes | None:
    """The worker's nonce; None if it does not speak this protocol. Raises ``Misfit``."""
    if len(payload) < 12 or payload[:4] != _MAGIC:
        return None
    (version,) = struct.unpack_from("<I", payload, 4)
    if version != VERSION:
        raise Misfit(
            f"it speaks version {version} of the protocol, rank 0 speaks version {VERSION}. "
            "Use one version of Cobre for all ranks."
        )
    if payload[8:12] != _BYTE_ORDER:
        raise Misfit("its machine uses a different byte order from that of rank 0.")
    return payload[12:] if len(payload) == 12 + NONCE_BYTES else None


def encode_challenge(wants_proof: bool, nonce: bytes) -> bytes:
    """The answer to a hello."""
    return frame(CHALLENGE, words(VERSION, int(wants_proof)), nonce)


def decode_challenge(payload: bytes) -> tuple[bool, bytes] | None:
    """Whether a proof is wanted, and the coordinator's nonce."""
    if len(payload) != 8 + NONCE_BYTES:
        return None
    return struct.unpack_from("<I", payload, 4)[0] == 1, payload[8:]


def encode_introduction(introduction: Introduction) -> bytes:
    """What a worker states about itself."""
    return _INTRODUCTION.pack(*introduction)


def decode_handshake(payload: bytes) -> tuple[Introduction, bytes, bytes] | None:
    """The introduction, its bytes, and the proof."""
    if len(payload) not in (_INTRODUCTION.size, _INTRODUCTION.size + PROOF_BYTES):
        return None
    statement, proof = payload[: _INTRODUCTION.size], payload[_INTRODUCTION.size :]
    return Introduction(*_INTRODUCTION.unpack(statement)), statement, proof


def encode_ack_statement(size: int, rank: int) -> bytes:
    """What the side that was connected to states: how many ranks there are, and which one it is."""
    return _ACK.pack(size, rank)


def decode_ack(payload: bytes) -> tuple[int, bytes, bytes] | None:
    """The rank that accepts, its statement and its proof."""
    if len(payload) not in (_ACK.size, _ACK.size + PROOF_BYTES):
        return None
    statement, proof = payload[: _ACK.size], payload[_ACK.size :]
    return _ACK.unpack(statement)[1], statement, proof


def encode_refusal(text: bytes, proof: bytes = bytes(PROOF_BYTES)) -> bytes:
    """A refusal: a proof of its text, zeros if none can be made, and the text."""
    return frame(REFUSAL, proof, text)


def decode_refusal(payload: bytes) -> tuple[bytes, bytes]:
    """The text of a refusal and its proof."""
    return payload[PROOF_BYTES:], payload[:PROOF_BYTES]


def printable(text: bytes) -> str:
    """A stranger's text as it may stand in a message: one short line, no control characters."""
    shown = "".join(
        " " if unicodedata.category(letter)[0] in "CZ" else letter
        for letter in text.decode(errors="replace")
    )
    line = " ".join(shown.split())
    return f"{line[:_LONGEST_TEXT]}…" if len(line) > _LONGEST_TEXT else line


class Roster(NamedTuple):
    """What a worker has to know when the group is complete."""

    #: The number of each rank's machine, by rank.
    machines: tuple[int, ...]
    #: Whether links between workers are wanted.
    links: bool


def encode_roster(roster: Roster) -> bytes:
    """The roster of a group that uses the star alone: no address, and a number nobody needs."""
    numbers = words(len(roster.machines), int(roster.links), 0)
    return frame(ROSTER, numbers, bytes(_JOB_NONCE_BYTES), words(*roster.machines))


def decode_roster(payload: bytes) -> Roster | None:
    """The part of a roster that a rank without links needs."""
    if len(payload) < 12 + _JOB_NONCE_BYTES:
        return None
    size, links = struct.unpack_from("<II", payload)
    at = 12 + _JOB_NONCE_BYTES
    if len(payload) < at + 4 * size:
        return None
    return Roster(struct.unpack_from(f"<{size}I", payload, at), links & 1 == 1)
