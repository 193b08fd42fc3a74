"""The side that connects: says who it is, proves it, and makes sure of the other side."""

from __future__ import annotations

import socket
import time

from .handshake import (
    MAX_HANDSHAKE_BYTES,
    Introduction,
    decode_ack,
    decode_challenge,
    encode_hello,
    encode_introduction,
)
from .link import Link
from .proof import COORDINATOR, WORKER, Nonces, fresh_nonce, is_proven, prove
from .sockets import a_moment, family_of, format_address, tune
from .wire import ACK, CHALLENGE, HANDSHAKE, HEADER_BYTES, REFUSAL, frame


class NotReached(Exception):
    """It did not work now; it may work at another address or a moment later."""


class Refused(Exception):
    """It will not work: the other side has said no, or is not who it should be."""


def connect_to(host: str, port: int, deadline: float) -> socket.socket:
    """Connects; raises ``NotReached`` if that takes longer than until ``deadline``."""
    sock = socket.socket(family_of(host), socket.SOCK_STREAM)
    try:
        sock.settimeout(max(0.001, deadline - time.monotonic()))
        sock.connect((host, port))
        tune(sock)
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
    """Makes itself known over a new connection. Returns when the other side has accepted."""
    link = Link(sock, 0, MAX_HANDSHAKE_BYTES)
    where = format_address(*sock.getpeername()[:2])
    nonce = fresh_nonce()
    link.send(encode_hello(nonce))
    challenge = decode_challenge(_answer(link, CHALLENGE, where, deadline))
    if challenge is None:
        raise _foreign(where)
    wants_proof, other_nonce = challenge
    if wants_proof and secret is None:
        raise Refused(
            f"the coordinator at {where} asks for a token and this rank has none. "
            "Set COBRE_TCP_TOKEN to that of rank 0."
        )
    if not wants_proof and secret is not None:
        raise Refused(
            f"this rank has a token, but whoever listens at {where} asks for none. "
            "Give rank 0 the same COBRE_TCP_TOKEN."
        )
    nonces = Nonces(nonce, other_nonce)
    statement = encode_introduction(who)
    proof = b"" if secret is None else prove(secret, WORKER, nonces, statement)
    link.send(frame(HANDSHAKE, statement, proof))
    ack = decode_ack(_answer(link, ACK, where, deadline))
    if ack is None:
        raise _foreign(where)
    if secret is not None and not is_proven(ack[1], secret, COORDINATOR, nonces, ack[0]):
        raise Refused(f"whoever listens at {where} does not know the token: it is not rank 0.")


def _answer(link: Link, tag: int, where: str, deadline: float) -> bytes:
    """The payload of the next frame, which must have the given tag."""
    while True:
        link.push()
        # Not more than this answer: what comes behind it is for the link that follows this one.
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
            text = payload.decode(errors="replace")
            raise Refused(f"rank 0 at {where} refused this rank: {text}")
        if link.has_ended:
            raise NotReached("it hung up")
        if time.monotonic() > deadline:
            raise NotReached("it did not answer")
        if link.available < (whole or HEADER_BYTES):
            a_moment([link.socket])


def _foreign(where: str) -> NotReached:
    return NotReached(f"what listens at {where} does not speak this protocol")
