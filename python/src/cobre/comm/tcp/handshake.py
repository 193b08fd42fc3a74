"""What the two sides of a new connection say to each other: hello, challenge, handshake, ack."""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

from .proof import NONCE_BYTES, PROOF_BYTES
from .wire import CHALLENGE, HELLO, ROSTER, VERSION, frame, words

_MAGIC: Final = b"CoBr"
_BYTE_ORDER: Final = struct.pack("=I", 0x01020304)

#: Nothing that is said before both sides are sure of each other is longer than this.
MAX_HANDSHAKE_BYTES: Final = 512

PURPOSE_JOIN: Final = 0

_INTRODUCTION: Final = struct.Struct("<IIQII")
_SECRET_BYTES: Final = 32


class Introduction(NamedTuple):
    """Who has connected, and what for."""

    rank: int
    size: int
    #: A number that is the same for all processes of one machine.
    machine: int
    #: Where another worker could connect; a Python rank says 0: it links with nobody but rank 0.
    port: int
    purpose: int


class Misfit(Exception):
    """Somebody speaks this protocol, but not as this rank does; the text says how."""


def encode_hello(nonce: bytes) -> bytes:
    """The first words of whoever has connected."""
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
        raise Misfit("its machine stores numbers in another byte order than that of rank 0.")
    return payload[12:] if len(payload) == 12 + NONCE_BYTES else None


def encode_challenge(wants_proof: bool, nonce: bytes) -> bytes:
    """The answer to a hello."""
    return frame(CHALLENGE, words(VERSION, int(wants_proof)), nonce)


def decode_challenge(payload: bytes) -> tuple[bool, bytes] | None:
    """Whether proof is wanted, and the coordinator's nonce."""
    if len(payload) != 8 + NONCE_BYTES:
        return None
    return struct.unpack_from("<I", payload, 4)[0] == 1, payload[8:]


def encode_introduction(introduction: Introduction) -> bytes:
    """What a worker states about itself."""
    return _INTRODUCTION.pack(*introduction)


def decode_handshake(payload: bytes) -> tuple[Introduction, bytes, bytes] | None:
    """Who it is, the statement as it was made, and its proof."""
    if len(payload) not in (_INTRODUCTION.size, _INTRODUCTION.size + PROOF_BYTES):
        return None
    statement, proof = payload[: _INTRODUCTION.size], payload[_INTRODUCTION.size :]
    return Introduction(*_INTRODUCTION.unpack(statement)), statement, proof


def decode_ack(payload: bytes) -> tuple[bytes, bytes] | None:
    """The coordinator's statement and its proof."""
    return (payload[:4], payload[4:]) if len(payload) in (4, 4 + PROOF_BYTES) else None


class Roster(NamedTuple):
    """What a worker has to know once everybody is there."""

    local_ranks: int
    #: Whether links between workers are wanted.
    links: bool


def encode_roster(roster: Roster) -> bytes:
    """The roster of a group that uses the star alone: no address, and a secret nobody needs."""
    return frame(ROSTER, words(roster.local_ranks, int(roster.links), 0), bytes(_SECRET_BYTES))


def decode_roster(payload: bytes) -> Roster | None:
    """What concerns a rank that links with nobody."""
    if len(payload) < 12 + _SECRET_BYTES:
        return None
    local_ranks, links = struct.unpack_from("<II", payload)
    return Roster(local_ranks, links & 1 == 1)
