"""A rank that has joined."""

from __future__ import annotations

from typing import NamedTuple

from .link import Link


class Joined(NamedTuple):
    """The connections of one rank."""

    #: To rank 0, or, on rank 0, to every worker in the order of ranks.
    links: list[Link]
    #: The number of ranks on this machine.
    local_ranks: int
