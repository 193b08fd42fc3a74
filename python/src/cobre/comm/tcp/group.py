"""This rank's side of a group: its present call, and whether the others make the same call."""

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
    """The operations of which the collectives consist."""

    def __init__(self, membership: TcpMembership, waiting: Waiting) -> None:
        self.membership = membership
        self.waiting = waiting
        self.rank = membership.rank
        self.size = membership.size
        self.links = membership.links
        #: The frame that describes the present call of this rank.
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
        """Takes the fingerprint at the front of the input, if it is complete.

        Fails if the sender made a different call.
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
        """Waits until the link has sent everything."""
        while link.is_sending:
            if link.push():
                self.waiting.moved()
            elif link.is_deaf:
                self.membership.fail_lost(link)
            elif link.is_sending:
                self.waiting.idle(lambda: [link.rank])
