"""A rank maps the memory it was offered as a region, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cobre.comm.shm.share_memory import _check_opened

NOBODY = 65534


def test_another_size_is_refused(tmp_path: Path) -> None:
    with open(tmp_path / "file", "w+b") as file:
        file.truncate(65_536)
        _check_opened(file.fileno(), 65_536)
        with pytest.raises(OSError, match="has 65536 bytes"):
            _check_opened(file.fileno(), 131_072)


@pytest.mark.skipif(os.getuid() != 0, reason="needs root, to give a file away")
def test_memory_of_another_user_is_refused(tmp_path: Path) -> None:
    with open(tmp_path / "file", "w+b") as file:
        file.truncate(65_536)
        os.fchown(file.fileno(), NOBODY, NOBODY)
        with pytest.raises(OSError, match="belongs to uid 65534"):
            _check_opened(file.fileno(), 65_536)
