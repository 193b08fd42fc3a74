"""Reads a policy file without the engine. docs/policy-format.md describes the format."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import InvalidPolicy
from .names import snake
from .table import Table

MAGIC = b"COBREPOL"
VERSION = 1
PREAMBLE = 16
DIGEST = 32
#: The policy file within an output directory or a policy directory.
FILES = ("policy/policy.bin", "policy.bin")
TYPES: Mapping[str, np.dtype[Any]] = {
    "f64": np.dtype("<f8"),
    "i32": np.dtype("<i4"),
    "u8": np.dtype("u1"),
}

#: The columns of the convergence table that hold integers.
COUNTS = frozenset({"iteration", "forward_passes", "cuts_added", "cuts_active", "lp_solves"})
#: Columns that have another name in the engine's tables.
TIMES = {
    "forward_ms": "time_forward_ms",
    "backward_ms": "time_backward_ms",
    "total_ms": "time_total_ms",
}

Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Cuts:
    """The cuts of one stage, in the order in which they were made.

    The cost after the stage, in $, is at least ``intercepts[k] + coefficients[k] @ state`` for each k. ``state`` holds storages in
    hm³ by hydro id, then inflows in m³/s, lag by lag.
    """

    stage_id: int
    intercepts: Doubles
    #: One row for each cut.
    coefficients: Doubles
    #: The iteration of each cut; 0 for a cut from before training.
    iterations: Integers
    forward_passes: Integers

    def __len__(self) -> int:
        return len(self.intercepts)

    def value(self, state: npt.ArrayLike) -> float:
        """The maximum of the cuts at a state, in $; minus infinity if there are none.

        >>> result.cuts[0].value([120.0])  # doctest: +SKIP
        """
        if len(self) == 0:
            return -np.inf
        return float(np.max(self.intercepts + self.coefficients @ np.asarray(state)))


@dataclass(frozen=True)
class Policy:
    """A trained policy."""

    #: The file it was read from.
    path: Path
    iterations: int
    lower_bound: float
    #: One for each stage; one for each node, if stages have several (``origin["nodes"]``).
    cuts: tuple[Cuts, ...]
    #: One row for each iteration.
    convergence: Table
    #: The case, solver, seed and states for which it was trained.
    origin: Mapping[str, Any]
    #: Why the lower bound may lie above the optimum; empty if it is a lower bound. "foreign_cuts": of a warm start from other data.
    bound_caveats: tuple[str, ...]


def has_policy(path: Path) -> bool:
    """Whether there is a policy in a directory."""
    return any((path / name).is_file() for name in FILES)


def policy_file(path: str | os.PathLike[str]) -> Path:
    """The policy file of an output directory, or the file itself."""
    path = Path(path)
    return next((path / name for name in FILES if (path / name).is_file()), path)


def read_policy(path: str | os.PathLike[str]) -> Policy:
    """Reads a policy file, or the one in an output directory.

    >>> cobre.read_policy("out").lower_bound  # doctest: +SKIP
    """
    file = policy_file(path)
    header, arrays = read_container(file)
    try:
        return _policy(file, header, arrays)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise _inconsistent(file) from error


def _policy(file: Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> Policy:
    origin = header["origin"]
    stages = origin["stageIds"]
    if "nodes" in origin:
        stages = [stages[node["stage"]] for node in origin["nodes"]]
    scale = float(header["cost_scale"])
    cuts = tuple(
        _cuts(stage_id, arrays[f"cuts/{t}/values"], arrays[f"cuts/{t}/origins"], header, scale)
        for t, stage_id in enumerate(stages)
    )
    # Of a cyclic horizon, passes end with what the cuts know of later cycles, which may be too little.
    has_gap = origin.get("isRiskNeutral", True) and not origin.get("isCyclic", False)
    convergence = _convergence(header["record_fields"], arrays["history"], has_gap)
    bounds = convergence["lower_bound"]
    return Policy(
        path=file,
        iterations=header["iteration"],
        lower_bound=float(bounds[-1] if len(bounds) > 0 else arrays["initial_bound"][0]),
        cuts=cuts,
        convergence=convergence,
        origin=origin,
        bound_caveats=tuple(header.get("bound_caveats", ())),
    )


def _cuts(
    stage_id: int, values: Any, origins: Any, header: Mapping[str, Any], scale: float
) -> Cuts:
    table = values.reshape(-1, 1 + header["dimension"]) * scale
    table.flags.writeable = False
    born = origins.reshape(-1, 2)
    return Cuts(stage_id, table[:, 0], table[:, 1:], born[:, 0], born[:, 1])


def _convergence(names: list[str], history: Doubles, has_gap: bool) -> Table:
    columns: dict[str, npt.NDArray[Any]] = {}
    for name, column in zip(map(snake, names), history.reshape(-1, len(names)).T, strict=True):
        columns[TIMES.get(name, name)] = column.astype(np.int64) if name in COUNTS else column
    bound, mean = columns["lower_bound"], columns["upper_bound_mean"]
    gap = 100 * (mean - bound) / np.maximum(1, np.abs(mean))
    # A mean cannot be compared with a risk-adjusted bound.
    columns["gap_percent"] = np.where((bound > 0) & has_gap, gap, np.nan)
    return Table(columns)


def read_container(file: Path) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The header and arrays of a policy file, after its first bytes, version and checksum were checked."""
    try:
        content = file.read_bytes()
    except OSError as error:
        reason = error.strerror
        raise InvalidPolicy(
            f"{file} cannot be read: {reason}; train first, or choose another path"
        ) from error
    if len(content) < PREAMBLE + DIGEST or not content.startswith(MAGIC):
        raise InvalidPolicy(f"{file} is not a policy file; use one that training has written")
    version, length = np.frombuffer(content, "<u4", 2, offset=8).tolist()
    if version != VERSION:
        raise InvalidPolicy(f"{file} has format version {version}, not {VERSION}; train again")
    if hashlib.sha256(memoryview(content)[:-DIGEST]).digest() != content[-DIGEST:]:
        raise InvalidPolicy(f"{file} has a wrong checksum: it is damaged; train again")
    start = PREAMBLE + length
    try:
        told = json.loads(content[PREAMBLE:start])
        arrays = {
            entry["name"]: np.frombuffer(
                content, TYPES[entry["type"]], entry["length"], offset=start + entry["offset"]
            )
            for entry in told["arrays"]
        }
        return told["header"], arrays
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise _inconsistent(file) from error


def _inconsistent(file: Path) -> InvalidPolicy:
    return InvalidPolicy(
        f"{file} has a right checksum, but not the parts of a policy; use another copy, or train again"
    )
