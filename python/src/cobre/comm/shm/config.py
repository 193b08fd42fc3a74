"""How a process joins a group over shared memory."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from ..errors import MissingConfiguration
from ..settings import Environment, Settings
from .layout import MAX_RANKS

_VARIABLES: Final = {
    "name": "COBRE_SHM_NAME",
    "rank": "COBRE_SHM_RANK",
    "size": "COBRE_SHM_SIZE",
    "timeout": "COBRE_SHM_TIMEOUT_SECS",
    "first_step": "COBRE_SHM_FIRST_STEP",
}
_EXAMPLE: Final = (
    "COBRE_SHM_NAME=/myjob COBRE_SHM_RANK=0 COBRE_SHM_SIZE=4 "
    "(or start the ranks with: cobre launch -n 4 -- …)"
)
_LONGEST_NAME: Final = 245

#: ``0`` on any rank forbids that ranks read each other's memory.
_DIRECT_VARIABLE: Final = "COBRE_SHM_DIRECT"


class ShmConfig(NamedTuple):
    """A checked configuration with all defaults filled in."""

    name: str
    rank: int
    size: int
    timeout_secs: float
    #: The number of the first step; rank 0's value counts.
    first_step: int
    may_read_others: bool


def read_config(arguments: Mapping[str, object], environment: Environment) -> ShmConfig:
    """Reads the configuration from arguments first, then from variables."""
    settings = Settings("shm", _VARIABLES, arguments, environment)
    missing = [_VARIABLES[name] for name in ("name", "rank", "size") if not settings.has(name)]
    if missing:
        raise MissingConfiguration("shm", missing, _EXAMPLE)
    name = settings.text("name", "")
    if re.fullmatch(r"/[^/\0]+", name) is None or name in ("/.", "/.."):
        reason = 'a segment name is "/" followed by a name without another "/", such as /myjob.'
        settings.refuse("name", reason)
    if len(os.fsencode(name)) > _LONGEST_NAME:
        settings.refuse("name", f"a segment name has at most {_LONGEST_NAME} bytes here.")
    place = settings.place(MAX_RANKS)
    steps = "a step is a whole number of 32 bits."
    first_step = settings.whole("first_step", -(2**31), 2**31 - 1, steps)
    may_read_others = environment.get(_DIRECT_VARIABLE) != "0"
    return ShmConfig(name, *place, first_step, may_read_others)
