"""Checks the arguments of `train` and `simulate` before anything is started."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Literal, get_args

from .errors import BackendNotAvailable, InvalidArgument, InvalidBackend

Backend = Literal["auto", "shm", "tcp"]
Solver = Literal["highs", "highs-wasm", "highs-native", "clp", "auto"]

BACKENDS: tuple[str, ...] = get_args(Backend)
SOLVERS: tuple[str, ...] = get_args(Solver)
#: A larger number of workers on one machine is taken for a mistake.
MOST_WORKERS = 1024


def check_workers(num_workers: int) -> int:
    """Raises unless this number of workers can be started."""
    is_count = isinstance(num_workers, int) and not isinstance(num_workers, bool)
    if not is_count or not 1 <= num_workers <= MOST_WORKERS:
        raise InvalidArgument(
            f"num_workers must be a whole number from 1 to {MOST_WORKERS}, not {num_workers!r}",
            argument="num_workers",
        )
    return num_workers


def check_backend(backend: str, num_workers: int) -> str:
    """Raises unless the workers can use this backend. A single worker does not communicate, so any backend will do."""
    if backend in BACKENDS or (num_workers == 1 and backend in ("local", "mpi")):
        return backend
    if backend == "mpi":
        raise BackendNotAvailable(
            "workers that Python starts cannot use the mpi backend, because MPI starts its ranks itself. Use "
            'backend="auto" here, or run `mpirun -n 4 cobre run CASE` outside Python.',
            requested=backend,
            available=BACKENDS,
        )
    if backend == "local":
        raise BackendNotAvailable(
            f"the local backend is one process, but num_workers is {num_workers}; use "
            'backend="auto", or num_workers=1.',
            requested=backend,
            available=BACKENDS,
        )
    raise InvalidBackend(
        f"there is no backend {backend!r}; use one of {', '.join(BACKENDS)}",
        requested=backend,
        available=BACKENDS,
    )


def check_solver(solver: str) -> str:
    """Raises unless it is the name of a solver."""
    if solver not in SOLVERS:
        known = ", ".join(SOLVERS)
        raise InvalidArgument(
            f"there is no solver {solver!r}; use one of {known}", argument="solver"
        )
    return solver


def check_config(config: Mapping[str, Any] | None) -> dict[str, Any]:
    """Raises unless the settings can be written as JSON."""
    try:
        settings = {} if config is None else json.loads(json.dumps(dict(config)))
    except (TypeError, ValueError) as error:
        raise InvalidArgument(
            f"config must be a mapping that can be written as JSON: {error}", argument="config"
        ) from error
    assert isinstance(settings, dict)
    return settings


def check_case(parts: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a case as JSON holds them: arrays, data frames and tables become columns of numbers."""
    try:
        case = json.loads(
            json.dumps({name: _plain(part) for name, part in parts.items()}, allow_nan=False)
        )
    except (TypeError, ValueError) as error:
        raise InvalidArgument(
            f"a case that is a mapping must hold what JSON can: {error}", argument="case"
        ) from error
    assert isinstance(case, dict)
    return case


def _plain(part: Any) -> Any:
    """A table of pandas, polars or pyarrow, or a mapping of arrays, as columns; anything else as it is."""
    if hasattr(part, "to_pydict"):  # pyarrow
        return part.to_pydict()
    if hasattr(part, "columns") and hasattr(part, "__getitem__"):  # pandas, polars
        part = {str(name): part[name] for name in part.columns}
    if not isinstance(part, Mapping):
        return part
    return {name: _numbers(value) for name, value in part.items()}


def _numbers(value: Any) -> Any:
    """A list for an array or a series, whose missing values are None; anything else as it is."""
    if not hasattr(value, "tolist") and not hasattr(value, "to_list"):
        return value
    found = value.tolist() if hasattr(value, "tolist") else value.to_list()
    if not isinstance(found, list):
        return found
    return [None if isinstance(one, float) and math.isnan(one) else one for one in found]


def lay_over(settings: Mapping[str, Any], ours: Mapping[str, Any]) -> dict[str, Any]:
    """`settings` overridden by `ours`: mappings are merged, everything else is replaced."""
    merged = dict(settings)
    for name, value in ours.items():
        there = merged.get(name)
        is_merged = isinstance(value, Mapping) and isinstance(there, Mapping)
        merged[name] = lay_over(there, value) if is_merged else value  # type: ignore[arg-type]
    return merged
