"""Which backend is chosen, what settings are refused, and what errors carry; in this process."""

from __future__ import annotations

import os
import pickle
from typing import Any

import numpy as np
import pytest

from cobre.comm import (
    BackendNotAvailable,
    CollectiveFailed,
    InitializationFailed,
    InvalidBackend,
    InvalidConfiguration,
    MissingConfiguration,
    connect,
)
from cobre.comm.fold import fold
from cobre.comm.select import choose
from cobre.comm.shm.backend import platform_obstacle
from cobre.comm.tcp.cluster import first_pod, first_slurm_node, place_from_cluster
from cobre.comm.tcp.config import parse_coordinator, read_config


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in list(os.environ):
        if variable.startswith(("COBRE_", "SLURM_", "PMI", "OMPI_", "MPI_", "JOB_COMPLETION")):
            monkeypatch.delenv(variable)


@pytest.mark.parametrize(
    ("backend", "arguments", "environment", "chosen"),
    [
        ("auto", {}, {}, "local"),
        ("auto", {}, {"COBRE_TCP_COORDINATOR": "node1"}, "tcp"),
        ("auto", {}, {"COBRE_TCP_RANK": "0"}, "tcp"),
        ("auto", {}, {"COBRE_SHM_NAME": "/job"}, "shm"),
        ("auto", {}, {"COBRE_COMM_BACKEND": "shm", "COBRE_TCP_COORDINATOR": "node1"}, "shm"),
        ("tcp", {}, {"COBRE_COMM_BACKEND": "shm"}, "tcp"),
        ("auto", {"coordinator": "node1"}, {"COBRE_SHM_NAME": "/job"}, "tcp"),
        ("auto", {"name": "/job"}, {}, "shm"),
        ("auto", {}, {"PMI_SIZE": "1"}, "local"),
        ("auto", {}, {"PMI_SIZE": "1", "COBRE_TCP_COORDINATOR": "node1"}, "tcp"),
        ("auto", {}, {"OMPI_COMM_WORLD_SIZE": "1", "COBRE_TCP_RANK": "0"}, "tcp"),
        ("auto", {}, {"PMI_SIZE": "1", "COBRE_SHM_NAME": "/job"}, "shm"),
        ("auto", {"coordinator": "node1"}, {"PMI_SIZE": "1"}, "tcp"),
        ("auto", {}, {"SLURM_JOB_ID": "19", "SLURM_PROCID": "0", "SLURM_NTASKS": "2"}, "local"),
        ("local", {}, {"COBRE_LAUNCH_SIZE": "1"}, "local"),
    ],
)
def test_choice(
    backend: str, arguments: dict[str, object], environment: dict[str, str], chosen: str
) -> None:
    assert choose(backend, arguments, environment) == chosen


@pytest.mark.parametrize(
    ("backend", "environment", "error"),
    [
        ("nccl", {}, InvalidBackend),
        (None, {}, InvalidBackend),
        ("auto", {"COBRE_COMM_BACKEND": ""}, InvalidBackend),
        ("mpi", {}, BackendNotAvailable),
        ("auto", {"PMI_RANK": "0", "PMI_SIZE": "4"}, BackendNotAvailable),
        ("auto", {"PMI_SIZE": "4", "COBRE_TCP_COORDINATOR": "node1"}, BackendNotAvailable),
        ("auto", {"SLURM_PROCID": "0", "SLURM_NTASKS": "2"}, BackendNotAvailable),
        (
            "auto",
            {"SLURM_JOB_ID": "19", "SLURM_STEP_ID": "0", "SLURM_PROCID": "0", "SLURM_NTASKS": "2"},
            BackendNotAvailable,
        ),
        ("local", {"COBRE_LAUNCH_SIZE": "4"}, InitializationFailed),
        ("auto", {"COBRE_LAUNCH_SIZE": "4"}, InitializationFailed),
    ],
)
def test_choice_that_is_refused(
    backend: Any, environment: dict[str, str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        choose(backend, {}, environment)


def test_missing_settings_are_all_named_at_once() -> None:
    with pytest.raises(MissingConfiguration) as caught:
        connect("tcp")
    assert caught.value.missing == ("COBRE_TCP_RANK", "COBRE_TCP_SIZE", "COBRE_TCP_COORDINATOR")
    with pytest.raises(MissingConfiguration) as caught:
        connect("shm", rank=0)
    assert caught.value.missing == ("COBRE_SHM_NAME", "COBRE_SHM_SIZE")


@pytest.mark.parametrize(
    ("place", "setting"),
    [
        ({"backend": "tcp", "rank": 2, "size": 2, "coordinator": "a"}, "rank"),
        ({"backend": "tcp", "rank": 0, "size": 0}, "size"),
        ({"backend": "tcp", "rank": 0, "size": 2, "port": 70_000}, "port"),
        ({"backend": "tcp", "rank": 0, "size": 2, "bind_address": "node1"}, "bind_address"),
        ({"backend": "tcp", "rank": 0, "size": 2, "token": ""}, "token"),
        ({"backend": "tcp", "rank": 0, "size": 2, "timeout": 0}, "timeout"),
        ({"backend": "tcp", "rank": 1, "size": 2, "coordinator": "a b"}, "coordinator"),
        ({"backend": "shm", "rank": 0, "size": 2, "name": "job"}, "name"),
        ({"backend": "shm", "rank": 0, "size": 2, "name": "/.."}, "name"),
        ({"backend": "shm", "rank": 0, "size": 2, "name": "/" + "x" * 300}, "name"),
        ({"backend": "shm", "rank": 0.5, "size": 2, "name": "/job"}, "rank"),
        ({"backend": "shm", "rank": 0, "size": 1025, "name": "/job"}, "size"),
    ],
)
def test_settings_that_are_refused(place: dict[str, Any], setting: str) -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        connect(**place)
    assert caught.value.setting == setting


def test_variables_are_named_as_variables_and_arguments_win() -> None:
    environment = {"COBRE_TCP_RANK": "two", "COBRE_TCP_SIZE": "2", "COBRE_TCP_COORDINATOR": "a:1"}
    with pytest.raises(InvalidConfiguration, match="COBRE_TCP_RANK=two"):
        read_config({}, environment)
    config = read_config({"rank": 1}, environment)
    assert (config.rank, config.size, config.host, config.port) == (1, 2, "a", 1)


def test_a_token_is_not_shown() -> None:
    with pytest.raises(InvalidConfiguration) as caught:
        read_config({"rank": 0, "size": 2, "token": 12345}, {})
    assert "12345" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("node1", ("node1", None)),
        ("node1:29501", ("node1", 29501)),
        ("10.0.0.1:5", ("10.0.0.1", 5)),
        ("::1", ("::1", None)),
        ("[::1]:7", ("::1", 7)),
        ("node1:0", None),
        ("-node", None),
        ("", None),
    ],
)
def test_coordinators(text: str, parsed: tuple[str, int | None] | None) -> None:
    assert parse_coordinator(text) == parsed


def test_places_of_clusters() -> None:
    assert first_slurm_node("node[03-08,12],gpu1") == "node03"
    assert first_pod("job-3", "3", "job-3.svc.local") == "job-0.svc.local"
    slurm = {"SLURM_PROCID": "2", "SLURM_NTASKS": "4", "SLURM_NODELIST": "a[1-2]"}
    assert place_from_cluster(slurm) == {"rank": "2", "size": "4", "coordinator": "a1"}


def test_platforms_without_the_memory_order_are_refused_with_the_reason() -> None:
    assert platform_obstacle("linux", "x86_64") is None
    assert "memory order" in str(platform_obstacle("linux", "aarch64"))
    assert "darwin" in str(platform_obstacle("darwin", "x86_64"))


def test_errors_survive_pickling_with_their_facts() -> None:
    error = CollectiveFailed("barrier", "tcp", 1, "rank 2 died.", [2])
    restored = pickle.loads(pickle.dumps(error))
    assert type(restored) is CollectiveFailed
    assert restored.to_json() == error.to_json()
    assert restored.missing_ranks == (2,)
    assert error.to_json()["missingRanks"] == (2,)


def test_a_group_of_one_copies_bytes() -> None:
    with connect() as comm:
        odd = np.array([0xFFF4DEAD00000001], np.uint64).view(np.float64)
        recv = np.zeros(1)
        comm.allreduce(odd, recv, "sum")
        assert recv.tobytes() == odd.tobytes()
        comm.broadcast(np.zeros((2, 3)), 0)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_zeros_and_nans_are_folded_by_the_rule(dtype: Any) -> None:
    special = np.array([0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1, -1], dtype)
    a, b = (grid.ravel() for grid in np.meshgrid(special, special))
    out = np.empty_like(a)
    negative = np.signbit(a), np.signbit(b)
    both_zero = (a == 0) & (b == 0)
    for op, signs in (("min", negative[0] | negative[1]), ("max", negative[0] & negative[1])):
        fold([a, b], out, op)
        assert (np.signbit(out)[both_zero] == signs[both_zero]).all()
    for op in ("sum", "min", "max"):
        fold([a, b], out, op)
        undefined = out[np.isnan(out)]
        assert undefined.size > 0
        assert undefined.tobytes() == np.full_like(undefined, np.nan).tobytes()
