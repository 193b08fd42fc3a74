"""The connecting side: it identifies itself, proves it, and checks the other side."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable

from .handshake import (
    MAX_HANDSHAKE_BYTES,
    Introduction,
    decode_ack,
    decode_challenge,
    decode_refusal,
    encode_hello,
    encode_introduction,
    printable,
)
from .link import Link
from .proof import COORDINATOR, WORKER, Nonces, fresh_nonce, is_proven, prove
from .proof import REFUSAL as REFUSAL_WORD
from .sockets import a_moment, family_of, format_address, tune
from .wire import ACK, CHALLENGE, HANDSHAKE, HEADER_BYTES, REFUSAL, frame


class NotReached(Exception):
    """The connection failed, but it may work at another address or a moment later."""


class DoubtfulRefusal(Exception):
    """A refusal by a side that has not proved to belong to the job: it may be a stranger."""


class Refused(Exception):
    """The connection will not work: the other side has refused, or failed to prove its identity."""


def connect_to(host: str, port: int, deadline: float, silence_secs: float) -> socket.socket:
    """Connects; raises ``NotReached`` if that takes longer than until ``deadline``."""
    sock = socket.socket(family_of(host), socket.SOCK_STREAM)
    try:
        sock.settimeout(max(0.001, deadline - time.monotonic()))
        sock.connect((host, port))
        tune(sock, silence_secs)
    except TimeoutError:
        sock.close()
        raise NotReached("nobody answered") from None
    except OSError as error:
        sock.close()
        raise NotReached(error.strerror or str(error)) from error
    except BaseException:
        sock.close()
        raise
    return sock


def introduce(
    sock: socket.socket, who: Introduction, secret: bytes | None, deadline: float
) -> None:
    """Identifies itself over a new connection. Returns when the other side has accepted."""
    link = Link(sock, 0, MAX_HANDSHAKE_BYTES)
    where = format_address(*sock.getpeername()[:2])
    nonce = fresh_nonce()
    link.send(encode_hello(nonce))
    early = _answer(link, CHALLENGE, where, deadline, lambda *_: secret is None)
    challenge = decode_challenge(early)
    if challenge is None:
        raise _foreign(where)
    wants_proof, other_nonce = challenge
    if wants_proof and secret is None:
        raise Refused(
            f"the coordinator at {where} asks for a token and this rank has none. "
            "Give this rank the same COBRE_TCP_TOKEN as rank 0."
        )
    if not wants_proof and secret is not None:
        raise DoubtfulRefusal(
            f"this rank has a token, but whoever listens at {where} asks for none. "
            "Give rank 0 the same COBRE_TCP_TOKEN."
        )
    nonces = Nonces(nonce, other_nonce)
    statement = encode_introduction(who)
    proof = b"" if secret is None else prove(secret, WORKER, nonces, statement)
    link.send(frame(HANDSHAKE, statement, proof))

    def is_genuine(text: bytes, shown: bytes) -> bool:
        return secret is None or is_proven(shown, secret, REFUSAL_WORD, nonces, text)

    ack = decode_ack(_answer(link, ACK, where, deadline, is_genuine))
    if ack is None:
        raise _foreign(where)
    rank, stated, ack_proof = ack
    if rank != who.target:
        raise NotReached(f"rank {rank} listens at {where}, not rank {who.target}")
    if secret is not None and not is_proven(ack_proof, secret, COORDINATOR, nonces, stated):
        raise DoubtfulRefusal(
            f"whoever listens at {where} does not know the token: it is not rank {who.target}."
        )


def _answer(
    link: Link,
    tag: int,
    where: str,
    deadline: float,
    is_genuine: Callable[[bytes, bytes], bool],
) -> bytes:
    """The payload of the next frame, which must have the given tag."""
    while True:
        link.push()
        # Read no more than this answer; later bytes are for the link that replaces this one.
        wanted = link.frame_bytes(link.start) or HEADER_BYTES
        if wanted > MAX_HANDSHAKE_BYTES:
            raise _foreign(where)
        if link.available < wanted:
            link.fill(wanted - link.available)
        whole = link.frame_bytes(link.start)
        if whole is not None and whole <= link.available:
            found = link.tag_at(link.start)
            payload = link.take_frame(whole)
            if found == tag:
                return payload
            if found != REFUSAL:
                raise _foreign(where)
            text, proof = decode_refusal(payload)
            story = f"rank 0 at {where} refused this rank: {printable(text)}"
            raise Refused(story) if is_genuine(text, proof) else DoubtfulRefusal(story)
        if link.has_ended:
            raise NotReached("it hung up")
        if time.monotonic() > deadline:
            raise NotReached("it did not answer")
        if link.available < (whole or HEADER_BYTES):
            a_moment([link.socket])


def _foreign(where: str) -> NotReached:
    return NotReached(f"whatever listens at {where} does not speak this protocol")
