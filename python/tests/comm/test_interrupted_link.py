"""Ctrl-C raises between any two steps of Python. The others still get every frame whole and once, and then the farewell."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest

from cobre.comm.tcp import link as link_module
from cobre.comm.tcp.link import Link

FAREWELL = b"farewell"


class CtrlC:
    """Raises KeyboardInterrupt before the given step of the code of links."""

    def __init__(self, step: int) -> None:
        self._left = step

    @property
    def has_come(self) -> bool:
        return self._left < 0

    def __enter__(self) -> CtrlC:
        sys.settrace(self._enter_frame)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _enter_frame(self, frame: FrameType, _event: str, _arg: object) -> Any:
        if frame.f_code.co_filename != link_module.__file__:
            return None
        frame.f_trace_lines = False
        frame.f_trace_opcodes = True
        return self._count

    def _count(self, _frame: FrameType, event: str, _arg: object) -> Any:
        if event == "opcode":
            self._left -= 1
            if self._left == -1:
                raise KeyboardInterrupt
        return self._count


@pytest.fixture
def ends() -> Iterator[tuple[Link, socket.socket]]:
    near, far = socket.socketpair()
    with near, far:
        # A long frame takes several sends.
        near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        far.setblocking(False)
        yield Link(near, 1), far


def read(far: socket.socket) -> bytes:
    try:
        return far.recv(1_000_000)
    except BlockingIOError:
        return b""


def deliver(link: Link, far: socket.socket, frame: bytes, ctrl_c: CtrlC) -> bytes:
    """What arrives if Ctrl-C comes while a frame is sent, and the link is used for a farewell then."""
    arrived = b""
    try:
        with ctrl_c:
            link.send(frame[:5], memoryview(frame)[5:])
            while link.is_sending:
                arrived += read(far)
                link.push()
    except KeyboardInterrupt:
        pass
    link.send(FAREWELL)
    while link.is_sending:
        arrived += read(far)
        link.push()
    return arrived + read(far)


@pytest.mark.parametrize("size", [40, 20_000])
def test_frames_stay_whole(size: int, ends: tuple[Link, socket.socket]) -> None:
    link, far = ends
    frame = bytes(i % 251 for i in range(size))
    step = 0
    while True:
        ctrl_c = CtrlC(step)
        arrived = deliver(link, far, frame, ctrl_c)
        assert arrived in (FAREWELL, frame + FAREWELL), f"Ctrl-C at step {step}"
        if not ctrl_c.has_come:
            break
        step += 1
    assert step > 100
