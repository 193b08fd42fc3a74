"""A line of the conformance table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cobre.comm import Communicator

#: What is checked, and the check; it may leave files in a directory that all ranks share.
Case = tuple[str, Callable[[Communicator, Path], None]]
