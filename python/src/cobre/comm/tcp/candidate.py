"""A new connection on rank 0 that has not proven yet to be a rank. It costs little."""

from __future__ import annotations

import time
from typing import Final

from .handshake import (
    CHANNEL_NETWORK,
    MAX_HANDSHAKE_BYTES,
    Introduction,
    Misfit,
    decode_handshake,
    decode_hello,
    encode_ack_statement,
    encode_challenge,
    encode_refusal,
)
from .link import Link
from .proof import (
    COORDINATOR,
    PROOF_BYTES,
    REFUSAL,
    WORKER,
    Nonces,
    fresh_nonce,
    is_proven,
    prove,
)
from .wire import ACK, HANDSHAKE, HEADER_BYTES, HELLO, frame

#: How long a new connection may take to identify itself.
_HANDSHAKE_SECS: Final = 10.0


class Candidate:
    """A connection that wants to join."""

    def __init__(self, link: Link, secret: bytes | None) -> None:
        self.link = link
        self._secret = secret
        self._deadline = time.monotonic() + _HANDSHAKE_SECS
        self._nonce = fresh_nonce()
        self._nonces: Nonces | None = None

    def proceed(self) -> Introduction | None:
        """Reads and answers what has arrived. Returns the introduction once it is proven.

        Raises ``Misfit`` if the connection does not belong to the job.
        """
        link = self.link
        link.push()
        link.fill()
        whole = link.frame_bytes(link.start)
        if whole is not None and whole > MAX_HANDSHAKE_BYTES:
            raise _stranger()
        if whole is not None and link.available >= whole:
            tag = link.tag_at(link.start)
            return self._hear(tag, link.take_frame(whole))
        if link.has_ended or link.is_deaf:
            raise Misfit("it hung up.")
        if time.monotonic() > self._deadline:
            raise Misfit("it did not say in time who it is.")
        return None

    def accept(self, size: int) -> None:
        """Accepts it, with a proof that it can check."""
        statement = encode_ack_statement(size, 0)
        proof = b""
        if self._secret is not None and self._nonces is not None:
            proof = prove(self._secret, COORDINATOR, self._nonces, statement)
        self.link.send(frame(ACK, statement, proof))

    def refuse(self, reason: str) -> None:
        """Refuses it, with the reason if that can be sent at once."""
        if not self.link.is_sending:
            text = reason.encode()[: MAX_HANDSHAKE_BYTES - HEADER_BYTES - PROOF_BYTES]
            proof = bytes(PROOF_BYTES)
            if self._secret is not None and self._nonces is not None:
                proof = prove(self._secret, REFUSAL, self._nonces, text)
            self.link.send(encode_refusal(text, proof))
        self.link.close()

    def _hear(self, tag: int, payload: bytes) -> Introduction | None:
        if self._nonces is None:
            nonce = decode_hello(payload) if tag == HELLO else None
            if nonce is None:
                raise _stranger()
            self._nonces = Nonces(nonce, self._nonce)
            self.link.send(encode_challenge(self._secret is not None, self._nonce))
            return None
        said = decode_handshake(payload) if tag == HANDSHAKE else None
        if said is None:
            raise _stranger()
        introduction, statement, proof = said
        secret = self._secret
        if secret is not None and not is_proven(proof, secret, WORKER, self._nonces, statement):
            raise Misfit("its token is not that of rank 0.")
        if introduction.target != 0 or introduction.channel != CHANNEL_NETWORK:
            raise Misfit("what it says was meant for another rank or another way.")
        return introduction


def _stranger() -> Misfit:
    return Misfit("it does not speak this protocol.")
