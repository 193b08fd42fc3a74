"""Which solver the engine uses, and where it finds a native HiGHS."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cobre
from cobre.highs import VARIABLE, find_highs, variables_for

Settings = Callable[..., dict[str, Any]]


def solver_of(result: cobre.TrainingResult) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((result.output / "training" / "metadata.json").read_text())
    return told


@pytest.fixture
def unnamed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No library is named to the engine, and none is found by PATH or by an active environment."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)


@pytest.mark.usefixtures("unnamed")
def test_the_highs_of_highspy_is_used_at_once(cases: Path, quick: Settings) -> None:
    library = find_highs()
    assert library is not None
    results = [
        cobre.train(cases / "one-reservoir", solver=solver, config=quick(3), num_workers=workers)
        for solver, workers in (("highs-native", 1), ("auto", 2))
    ]
    for result in results:
        told = solver_of(result)
        assert told["solver"] == "highs-native"
        assert told["solver_library"] == str(library.resolve())
    assert results[0].lower_bound == results[1].lower_bound
    wasm = cobre.train(cases / "one-reservoir", config=quick(3))
    assert solver_of(wasm)["solver"] == "highs-wasm"
    assert wasm.lower_bound == pytest.approx(results[0].lower_bound, rel=1e-6)


@pytest.mark.usefixtures("unnamed")
def test_only_those_who_ask_for_it_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    library = str(find_highs())
    assert [variables_for(solver) for solver in ("highs", "highs-wasm", "clp")] == [{}, {}, {}]
    assert variables_for("auto") == variables_for("highs-native") == {VARIABLE: library}
    assert variables_for("auto", {VARIABLE: "/mine.so"}) == {}
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert variables_for("auto") == {}


def test_a_library_that_cannot_be_used(cases: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "/does/not/exist.so")
    with pytest.raises(cobre.SolverNotAvailable, match="there is no such library") as raised:
        cobre.train(cases / "fast", solver="highs-native")
    assert raised.value.solver == "highs-native"


def test_resume_with_another_solver(cases: Path, quick: Settings, tmp_path: Path) -> None:
    case, output = cases / "one-reservoir", tmp_path / "out"
    cobre.train(case, config=quick(2), output=output)
    options: dict[str, Any] = {"output": output, "resume": True, "solver": "highs-native"}
    with pytest.raises(cobre.IncompatiblePolicy, match="the bits would differ"):
        cobre.train(case, config=quick(4), **options)
    result = cobre.train(case, config=quick(4), allow_other_solver=True, **options)
    assert result.iterations == 4
    assert solver_of(result)["solver"] == "highs-native"
