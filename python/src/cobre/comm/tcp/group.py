"""This rank's place in a group: what it calls now, and whether the others call the same."""

from __future__ import annotations

from ..fingerprint import MASK, stir_call
from ..stories import ComparedCall
from .link import Link
from .membership import TcpMembership
from .waiting import Waiting
from .wire import (
    FINGERPRINT,
    FINGERPRINT_BYTES,
    HEADER_BYTES,
    CallNotice,
    decode_fingerprint,
    encode_fingerprint,
)


class Group:
    """The collectives are written in its words."""

    def __init__(self, membership: TcpMembership, waiting: Waiting) -> None:
        self.membership = membership
        self.waiting = waiting
        self.rank = membership.rank
        self.size = membership.size
        self.links = membership.links
        #: The frame that says what this rank calls now.
        self.fingerprint = b""

    def open(self, call: int, length: int, extra: int = 0) -> bool:
        """Opens a collective; returns whether the call is the same as the one before."""
        membership = self.membership
        is_repeated = call == membership.call and length == membership.length
        membership.call = call
        membership.length = length
        membership.sequence = membership.sequence + 1 & MASK
        membership.history = stir_call(membership.history, call, length, extra)
        notice = CallNotice(membership.sequence, call, length, membership.history)
        self.fingerprint = encode_fingerprint(notice)
        self.waiting.open()
        return is_repeated

    def take_fingerprint(self, link: Link) -> bool:
        """Takes the fingerprint at the front of the input, if all of it is there.

        Makes sure that the sender calls the same.
        """
        membership = self.membership
        if link.available < FINGERPRINT_BYTES:
            link.make_room(FINGERPRINT_BYTES)
            return False
        at = link.start
        if link.tag_at(at) != FINGERPRINT or link.frame_bytes(at) != FINGERPRINT_BYTES:
            membership.fail_unintelligible(link)
        said = decode_fingerprint(link.input[at + HEADER_BYTES : at + FINGERPRINT_BYTES])
        if said.sequence != membership.sequence or said.history != membership.history:
            membership.fail_mismatch(ComparedCall(link.rank, said.call, said.length))
        link.start += FINGERPRINT_BYTES
        return True

    def finish_sending(self, link: Link) -> None:
        """Waits until what the link is sending has gone out."""
        while link.is_sending:
            if link.push():
                self.waiting.moved()
            elif link.is_deaf:
                self.membership.fail_lost(link)
            elif link.is_sending:
                self.waiting.idle(lambda: [link.rank])
