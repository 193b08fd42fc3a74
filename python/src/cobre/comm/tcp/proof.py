"""Proofs that a side of a connection knows the secret, without telling it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final, NamedTuple

NONCE_BYTES: Final = 32
PROOF_BYTES: Final = 32

#: Different words for the two sides: neither's proof can be sent back as the other's.
WORKER: Final = b"cobre worker\0"
COORDINATOR: Final = b"cobre coordinator\0"


class Nonces(NamedTuple):
    """The numbers that were made for one connection, so that no proof can be used again."""

    worker: bytes
    coordinator: bytes


def fresh_nonce() -> bytes:
    """A number that was never used."""
    return secrets.token_bytes(NONCE_BYTES)


def prove(secret: bytes, side: bytes, nonces: Nonces, statement: bytes) -> bytes:
    """HMAC-SHA-256 over the side, both nonces and what the side says."""
    said = side + nonces.worker + nonces.coordinator + statement
    return hmac.new(secret, said, hashlib.sha256).digest()


def is_proven(proof: bytes, secret: bytes, side: bytes, nonces: Nonces, statement: bytes) -> bool:
    """Whether the proof is right; takes the same time if it is not."""
    return hmac.compare_digest(proof, prove(secret, side, nonces, statement))
