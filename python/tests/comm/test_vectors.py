"""Frames, proofs, fingerprints and the layout: what one language writes, the other understands."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from cobre.comm.abort import AbortNotice
from cobre.comm.fingerprint import describe_call, encode_call, stir_call, stir_counts
from cobre.comm.machine import machine_number
from cobre.comm.shm.layout import Layout, equal_part
from cobre.comm.tcp import handshake, proof, wire

from .groups import PROGRAMS, node

SECRET = "a secret, with é in it".encode()
NONCES = proof.Nonces(bytes(range(32)), bytes(255 - i for i in range(32)))
WHO = handshake.Introduction(3, 5, 0x0123456789ABCDEF, 0, 0, 2, 1, bytes(range(0, 112, 7)))
REASON = "no é here".encode()
NOTICE = AbortNotice(2, (1, 700), "rank 1 calls é")
CALLS = [
    (encode_call(1), 0, 0),
    (encode_call(3, 1, 2), 1_000_003, 0),
    (encode_call(2, 10, 0, 1023), 2**40 + 5, 0),
    (encode_call(4, 7), 12, stir_counts([5, 0, 7, 2**31 + 3, 2**33 + 5])),
]


def typescript(what: str, vectors: dict[str, Any] | None = None) -> dict[str, Any]:
    command = [node(), str(PROGRAMS / "vectors.mjs"), what]
    said = subprocess.run(
        command, input=json.dumps(vectors), capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stderr
    answer: dict[str, Any] = json.loads(said.stdout)
    return answer


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    return typescript("write")


def test_frames_of_the_handshake(written: dict[str, Any]) -> None:
    statement = handshake.encode_introduction(WHO)
    assert handshake.encode_hello(NONCES.worker).hex() == written["hello"]
    assert handshake.encode_challenge(True, NONCES.coordinator).hex() == written["challenge"]
    assert statement.hex() == written["statement"]
    assert proof.prove(SECRET, proof.WORKER, NONCES, statement).hex() == written["workerProof"]
    accepted = handshake.encode_ack_statement(5, 2)
    coordinators = proof.prove(SECRET, proof.COORDINATOR, NONCES, accepted)
    assert coordinators.hex() == written["coordinatorProof"]
    refused = proof.prove(SECRET, proof.REFUSAL, NONCES, REASON)
    assert handshake.encode_refusal(REASON, refused).hex() == written["refusal"]
    assert str(machine_number()) == written["machine"]


def test_control_frames(written: dict[str, Any]) -> None:
    assert wire.encode_abort(NOTICE).hex() == written["abort"]
    assert wire.decode_abort(bytes.fromhex(written["abort"])[5:]) == NOTICE
    assert wire.frame(wire.SHUTDOWN).hex() == written["shutdown"]
    assert wire.frame(wire.WAITING, wire.words(7, 2)).hex() == written["waiting"]


def test_fingerprints(written: dict[str, Any]) -> None:
    history = 0
    for i, (call, length, extra) in enumerate(CALLS):
        history = stir_call(history, call, length, extra)
        notice = wire.CallNotice(i + 1, call, length, history)
        assert wire.encode_fingerprint(notice).hex() == written["openings"][i]
        assert describe_call(call, length) == written["described"][i]


def test_layout(written: dict[str, Any]) -> None:
    for expected in written["layouts"]:
        layout = Layout(expected["size"])
        last = expected["size"] - 1
        assert {
            "size": layout.size,
            "totalBytes": layout.total_bytes,
            "record": layout.record(last),
            "sleepWord": layout.sleep_word(last),
            "firstLine": layout.line(last, 0),
            "slot": layout.slot(last, 13),
            "parts": [[list(part) for part in layout.parts(r)] for r in (0, last)],
            "equalParts": [
                list(equal_part(count, last, layout.size)) for count in (0, 1, 4097, 1_000_000)
            ],
        } == expected


def test_typescript_understands_python() -> None:
    statement = handshake.encode_introduction(WHO)
    proven = proof.prove(SECRET, proof.WORKER, NONCES, statement)
    ack = handshake.encode_ack_statement(5, 2)
    refused = proof.prove(SECRET, proof.REFUSAL, NONCES, REASON)
    understood = typescript(
        "read",
        {
            "hello": handshake.encode_hello(NONCES.worker).hex(),
            "challenge": handshake.encode_challenge(True, NONCES.coordinator).hex(),
            "handshake": wire.frame(wire.HANDSHAKE, statement, proven).hex(),
            "ack": wire.frame(
                wire.ACK, ack, proof.prove(SECRET, proof.COORDINATOR, NONCES, ack)
            ).hex(),
            "refusal": handshake.encode_refusal(REASON, refused).hex(),
            "roster": handshake.encode_roster(handshake.Roster((0, 0, 2, 0), False)).hex(),
            "abort": wire.encode_abort(NOTICE).hex(),
        },
    )
    assert understood == {
        "hello": NONCES.worker.hex(),
        "challenge": {"wantsProof": True, "nonce": NONCES.coordinator.hex()},
        "introduction": {
            "rank": 3,
            "size": 5,
            "port": 0,
            "purpose": 0,
            "target": 2,
            "channel": 1,
            "machine": str(WHO.machine),
            "name": WHO.name.hex(),
        },
        "acceptedBy": 2,
        "refusal": REASON.decode(),
        "isRefusalProven": True,
        "isWorkerProven": True,
        "isCoordinatorProven": True,
        "roster": {"machines": [0, 0, 2, 0], "links": False},
        "abort": {"code": 2, "missingRanks": [1, 700], "text": NOTICE.text},
    }
