"""Proofs that a side of a connection knows the secret, without revealing it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final, NamedTuple

NONCE_BYTES: Final = 32
PROOF_BYTES: Final = 32

#: Different words for what is proved: no proof can be sent back as another.
WORKER: Final = b"cobre worker\0"
REFUSAL: Final = b"cobre refusal\0"
COORDINATOR: Final = b"cobre coordinator\0"


class Nonces(NamedTuple):
    """The random numbers of one connection, so that no proof can be used again."""

    worker: bytes
    coordinator: bytes


def fresh_nonce() -> bytes:
    """A new random number."""
    return secrets.token_bytes(NONCE_BYTES)


def prove(secret: bytes, side: bytes, nonces: Nonces, statement: bytes) -> bytes:
    """HMAC-SHA-256 over the side, both nonces and the statement."""
    said = side + nonces.worker + nonces.coordinator + statement
    return hmac.new(secret, said, hashlib.sha256).digest()


def is_proven(proof: bytes, secret: bytes, side: bytes, nonces: Nonces, statement: bytes) -> bool:
    """Whether the proof is correct, compared in constant time."""
    return hmac.compare_digest(proof, prove(secret, side, nonces, statement))
