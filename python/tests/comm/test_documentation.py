"""The example of docs/python-comm.md runs, alone and in groups."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .groups import ROOT, SOURCES, our_segments, started


@pytest.fixture
def example(tmp_path: Path) -> Path:
    text = (ROOT / "docs" / "python-comm.md").read_text(encoding="utf-8")
    code = text.split("```python\n", 1)[1].split("```", 1)[0]
    path = tmp_path / "example.py"
    path.write_text(code, encoding="utf-8")
    return path


def test_alone(example: Path) -> None:
    env = {key: value for key, value in os.environ.items() if "COBRE_" not in key}
    command = [sys.executable, str(example)]
    said = subprocess.check_output(command, text=True, env=env | {"PYTHONPATH": str(SOURCES)})
    assert said == "1 ranks: 1, [0]\n"


@pytest.mark.parametrize("backend", ["tcp", "shm"])
def test_in_a_group(example: Path, backend: str) -> None:
    with started(backend, [[sys.executable, str(example)]] * 3) as group:
        assert group.wait() == [0, 0, 0], group.story()
        assert group.other_lines(0) == ["3 ranks: 6, [0, 1, 1, 2, 2, 2]"]
    assert our_segments() == []
