"""A case that is a mapping: the same bits as the same case from a directory, and faults with their paths."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cobre

Settings = Callable[..., dict[str, Any]]


def mapping_of(case: Path) -> dict[str, Any]:
    """A case directory as a mapping."""
    parts: dict[str, Any] = {}
    for file in [*case.glob("*.json"), *case.glob("system/*.json")]:
        document = json.loads(file.read_text())
        document.pop("$schema", None)
        parts |= document if file.stem == "stages" else {}
        parts.setdefault(file.stem, document.get(file.stem, document))
    for file in case.glob("scenarios/*.csv"):
        with file.open() as lines:
            rows = list(csv.DictReader(lines))
        parts[file.stem] = {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}
    return parts


@pytest.mark.rest
def test_the_same_bits_as_from_a_directory(cases: Path, quick: Settings, tmp_path: Path) -> None:
    parts = mapping_of(cases / "one-reservoir")
    case = cobre.load(parts)
    assert case.path is None
    assert case.config == parts["config"]
    assert repr(case) == "Case('case': 12 stages, 1 hydros, 2 thermals)"
    file = tmp_path / "valley.json"
    file.write_text(json.dumps(case.parts))
    there = cobre.train(cases / "one-reservoir", config=quick(3))
    assert cobre.load(file).config == case.config
    for source, workers in ((parts, 1), (case, 2)):
        here = cobre.train(source, config=quick(3), num_workers=workers)
        assert here.lower_bound == there.lower_bound
        for mine, other in zip(here.cuts, there.cuts, strict=True):
            assert mine.intercepts.tobytes() == other.intercepts.tobytes()
            assert mine.coefficients.tobytes() == other.coefficients.tobytes()
    simulated = cobre.simulate(parts, there, scenarios=4)
    assert simulated.hash == cobre.simulate(cases / "one-reservoir", there, scenarios=4).hash


def test_faults_have_paths(cases: Path) -> None:
    parts = mapping_of(cases / "one-reservoir")
    parts["hydros"][0]["reservoir"]["max_storage_hm3"] = "much"
    parts["thermal"] = []
    found = cobre.validate(parts)
    assert not found
    assert [issue.file for issue in found.errors] == [
        "hydros[0].reservoir.max_storage_hm3",
        "thermal",
    ]
    with pytest.raises(cobre.ValidationError, match=r"did you mean .thermals"):
        cobre.train(parts)


def test_what_json_cannot_hold(cases: Path) -> None:
    for value in (object(), float("inf")):
        parts = mapping_of(cases / "one-reservoir") | {"penalties": value}
        with pytest.raises(cobre.InvalidArgument, match="what JSON can") as told:
            cobre.load(parts)
        assert told.value.argument == "case"
