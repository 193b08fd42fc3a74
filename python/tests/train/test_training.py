"""What training gives, and where it leaves it."""

from __future__ import annotations

import json
import pickle
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cobre

Settings = Callable[..., dict[str, Any]]


def test_result(cases: Path, quick: Settings) -> None:
    case = cobre.load(cases / "one-reservoir")
    result = cobre.train(case, config=quick(4, 2))
    assert (result.iterations, result.termination) == (4, "iteration_limit")
    (worker,) = result.workers
    assert (worker.rank, worker.backend) == (0, "local") and worker.wall_seconds > 0
    bounds = result.convergence["lower_bound"]
    assert bounds[-1] == result.lower_bound > 0
    assert np.all(np.diff(bounds) >= -1e-9 * bounds[-1])
    assert list(result.convergence["iteration"]) == [1, 2, 3, 4]
    assert result.convergence["iteration"].dtype == np.int64
    assert len(result.cuts) == case.summary["stages"]
    first = result.cuts[0]
    assert first.coefficients.shape == (len(first), case.summary["states"])
    assert set(first.iterations) <= {1, 2, 3, 4} and set(first.forward_passes) <= {0, 1}
    empty, full = first.value([0.0]), first.value([300.0])
    assert empty > full  # water is worth something
    with pytest.raises(ValueError, match="read-only"):
        first.intercepts[0] = 0


def test_config_is_laid_over_that_of_the_case(cases: Path) -> None:
    rules = [{"type": "iteration_limit", "limit": 2}]
    result = cobre.train(cases / "fast", config={"training": {"stopping_rules": rules}})
    assert result.iterations == 2
    assert result.convergence["forward_passes"][0] == 1  # as the case says


def test_temporary_output_ends_with_the_result(cases: Path, tmp_path: Path) -> None:
    result = cobre.train(cases / "fast")
    output = result.output
    assert (output / "training" / "_SUCCESS").exists()
    kept = result.save(tmp_path / "kept")
    del result
    assert not output.exists()
    for path in (kept, str(kept), str(kept / "policy" / "policy.bin")):
        assert cobre.read_policy(path).iterations == 10


def test_output_is_kept_and_not_replaced_unasked(cases: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    cobre.train(cases / "fast", output=output).close()
    for workers in (1, 2):
        with pytest.raises(cobre.OutputExists) as caught:
            cobre.train(cases / "fast", output=output, num_workers=workers)
        assert caught.value.path == str(output)
    result = cobre.train(cases / "fast", output=output, overwrite=True)
    assert result.output == output and (output / "policy" / "policy.bin").exists()


def test_simulation(cases: Path, tmp_path: Path) -> None:
    case = cobre.load(cases / "fast")
    output = tmp_path / "out"
    trained = cobre.train(case, output=output)
    result = cobre.simulate(case, output, scenarios=7, output=output)
    assert result.scenarios == 7 == len(result.costs)
    assert [worker.backend for worker in result.workers] == ["local"]
    assert result.mean == pytest.approx(result.costs.mean())
    assert result.ci95 is not None and result.ci95 > 0
    assert "hydros" in result.tables
    assert (output / "training" / "_SUCCESS").exists()
    other = cobre.simulate(case, trained, scenarios=7)
    assert other.hash == result.hash and other.output != output
    with pytest.raises(cobre.OutputExists):
        cobre.simulate(case, trained, output=tmp_path)
    with pytest.raises(cobre.InvalidPolicy):
        cobre.simulate(case, tmp_path / "nowhere")
    with pytest.raises(cobre.InvalidArgument, match="use one of buses"):
        result.table("dams")


def test_events_are_typed_and_complete(cases: Path, quick: Settings) -> None:
    heard: list[cobre.events.Event] = []
    result = cobre.train(cases / "fast", config=quick(3), num_workers=2, progress=heard.append)
    records = [event.record for event in heard if isinstance(event, cobre.events.IterationDone)]
    assert [record.lower_bound for record in records] == list(result.convergence["lower_bound"])
    started = [event for event in heard if isinstance(event, cobre.events.WorkerStarted)]
    assert sorted(event.rank for event in started) == [0, 1]
    (limits,) = (event for event in heard if isinstance(event, cobre.events.RunStarted))
    assert (limits.iteration_limit, limits.scenarios) == (3, None)
    assert all(value is not None for record in records for value in vars(record).values())


def test_a_callback_that_raises_ends_the_workers(cases: Path, quick: Settings) -> None:
    class Enough(Exception):
        pass

    def listen(event: cobre.events.Event) -> None:
        if isinstance(event, cobre.events.IterationDone):
            raise Enough

    with pytest.raises(Enough):
        cobre.train(cases / "one-reservoir", config=quick(100_000), num_workers=2, progress=listen)


def test_bar(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cobre.train(cases / "fast", progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "training begins"
    assert lines[-1].startswith("iteration 10/10  lower bound 10000  cuts 10")


def test_bar_without_limit(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = [
        {"type": "iteration_limit", "limit": 2},
        {"type": "bound_stalling", "iterations": 4, "tolerance": 0.5},
    ]
    # In a case for Cobre 0.18 the limit of iterations ends training in any case.
    config = {"training": {"stopping_mode": "all", "stopping_rules": rules}}
    result = cobre.train(cases / "one-reservoir-0.5", config=config, progress=True)
    assert result.policy.iterations > 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"iteration {result.policy.iterations}  lower bound ")
    assert "left" not in last


def test_no_gap_from_a_risk_adjusted_bound(cases: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    shutil.copytree(cases / "sddp-tutorial", case)
    plain = cobre.train(case)
    assert not np.any(np.isnan(plain.convergence["gap_percent"]))
    assert plain.policy.bound_caveats == ()
    stages = json.loads((case / "stages.json").read_text())
    for stage in stages["stages"]:
        stage["risk_measure"] = {"cvar": {"alpha": 0.5, "lambda": 0.5}}
    (case / "stages.json").write_text(json.dumps(stages))
    averse = cobre.train(case)
    assert np.all(np.isnan(averse.convergence["gap_percent"]))


def test_tables_for_other_libraries(cases: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = cobre.train(cases / "fast")
    table = result.convergence.to_arrow()
    assert table["lower_bound"].to_pylist() == list(result.convergence["lower_bound"])
    hydros = cobre.simulate(cases / "fast", result, scenarios=3).table("hydros")
    assert set(hydros["scenario_id"].to_pylist()) == {0, 1, 2}
    monkeypatch.setitem(sys.modules, "polars", None)  # as if it were not installed
    with pytest.raises(cobre.MissingLibrary, match="pip install polars") as caught:
        result.convergence.to_polars()
    assert caught.value.library == "polars" and isinstance(caught.value, ImportError)
    assert "<th>lower_bound</th>" in result.convergence._repr_html_()


def test_errors_can_be_pickled() -> None:
    cause = cobre.SubproblemFailed("no", solver="highs", subproblem="s", status="x", attempts=1)
    error = cobre.WorkerError(3, "worker 3 failed", exit_code=1, error=cause)
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.rank, copy.exit_code, str(copy)) == (3, 1, "worker 3 failed")
    assert copy.error.status == "x"
