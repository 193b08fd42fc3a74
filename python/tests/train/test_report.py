"""The report on a run, as a notebook shows it."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cobre

Settings = Callable[..., dict[str, Any]]


def test_report(cases: Path, quick: Settings, tmp_path: Path) -> None:
    case = cases / "one-reservoir"
    with cobre.train(case, config=quick(3, 2)) as result:
        trained = cobre.report(result)
        with cobre.simulate(case, result, scenarios=4) as simulation:
            simulated = cobre.report(simulation, height=500)
    assert "No simulation in this run" in trained.html
    assert f"<td>{result.lower_bound!r}</td>" in trained.html
    assert 'id="reservoirs"' in simulated.html and "data-cube" in simulated.html
    shown = simulated._repr_html_()
    frame = re.fullmatch(r'<iframe srcdoc="([^"]*)" style="([^"]*)" title="[^"]*"></iframe>', shown)
    assert frame is not None and "500px" in frame[2]
    assert html.unescape(frame[1]) == simulated.html
    assert "MB" in repr(simulated) and len(repr(simulated)) < 100
    assert simulated.save(tmp_path / "report.html").read_text("utf-8") == simulated.html


def test_a_directory_without_results(tmp_path: Path) -> None:
    with pytest.raises(cobre.InvalidOutput, match="is not the output of a run") as caught:
        cobre.report(tmp_path)
    assert caught.value.path == str(tmp_path)
