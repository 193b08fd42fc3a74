"""What must be refused before memory is touched, and how the refusal reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from cobre.comm import Communicator
from cobre.comm.errors import CommError

Call = Callable[[Communicator], Any]
Misuse = tuple[str, str, dict[str, Any] | Callable[[Communicator], dict[str, Any]], Call]


def f64(length: int) -> Any:
    return np.zeros(length)


def in_order(comm: Communicator) -> list[int]:
    return list(range(comm.size))


def fixed(value: Any) -> Any:
    array = np.zeros(4)
    array.flags.writeable = value
    return array


def overlapping(comm: Communicator) -> None:
    whole = f64(8)
    comm.allreduce(whole[0:4], whole[3:7], "sum")


def send_in_recv(comm: Communicator) -> None:
    recv = f64(comm.size)
    comm.allgatherv(recv[0:1], recv, [1] * comm.size, in_order(comm))


def pieces_over_each_other(comm: Communicator) -> None:
    comm.allgatherv(f64(2), f64(20), [2] * comm.size, in_order(comm))


def in_place(comm: Communicator) -> None:
    both = f64(4)
    comm.allreduce(both, both, "sum")


def argument(name: str, operation: str | None = None) -> dict[str, Any]:
    return {"argument": name} | ({} if operation is None else {"operation": operation})


NOT_ARRAYS: list[Any] = [
    [1, 2],
    "12",
    7,
    None,
    b"12345678",
    np.float64(1.0),
    np.zeros(2, np.float16),
    np.zeros(2, np.complex128),
    np.zeros(2, np.bool_),
    np.zeros(2, ">f8"),
    np.zeros(2, "datetime64[s]"),
    np.zeros(2, object),
    np.ma.masked_array(np.zeros(2)),
    np.zeros(4)[::2],
    np.zeros((4, 4)).T[:2],
]

MISUSES: list[Misuse] = [
    (
        "allreduce of unequal lengths",
        "InvalidBufferSize",
        {"operation": "allreduce", "expected": 3, "actual": 4},
        lambda comm: comm.allreduce(f64(3), f64(4), "sum"),
    ),
    (
        "allreduce of nothing",
        "InvalidBufferSize",
        {"operation": "allreduce", "expected": 1, "actual": 0},
        lambda comm: comm.allreduce(f64(0), f64(0), "sum"),
    ),
    (
        "allreduce of two types",
        "InvalidArgument",
        argument("recv", "allreduce"),
        lambda comm: comm.allreduce(f64(1), np.zeros(1, np.float32), "sum"),
    ),
    ("allreduce in place", "InvalidArgument", argument("recv"), in_place),
    ("allreduce between overlapping parts", "InvalidArgument", argument("recv"), overlapping),
    ("allgatherv whose send lies in recv", "InvalidArgument", argument("recv"), send_in_recv),
    (
        "allreduce into a read-only array",
        "InvalidArgument",
        argument("recv", "allreduce"),
        lambda comm: comm.allreduce(f64(4), fixed(False), "sum"),
    ),
    (
        "broadcast of a read-only array",
        "InvalidArgument",
        argument("buf", "broadcast"),
        lambda comm: comm.broadcast(fixed(False), 0),
    ),
    (
        "allgatherv whose send is not what counts say",
        "InvalidBufferSize",
        {"operation": "allgatherv", "expected": 1, "actual": 2},
        lambda comm: comm.allgatherv(f64(2), f64(comm.size), [1] * comm.size, in_order(comm)),
    ),
    (
        "allgatherv with too few counts",
        "InvalidBufferSize",
        lambda comm: {"expected": comm.size, "actual": comm.size - 1},
        lambda comm: comm.allgatherv(f64(1), f64(9), [1] * (comm.size - 1), in_order(comm)),
    ),
    (
        "allgatherv with too many displs",
        "InvalidBufferSize",
        lambda comm: {"expected": comm.size, "actual": comm.size + 1},
        lambda comm: comm.allgatherv(f64(1), f64(9), [1] * comm.size, [*in_order(comm), 0]),
    ),
    (
        "allgatherv past the end of recv",
        "InvalidBufferSize",
        lambda comm: {"expected": comm.size, "actual": comm.size - 1},
        lambda comm: comm.allgatherv(f64(1), f64(comm.size - 1), [1] * comm.size, in_order(comm)),
    ),
    (
        "broadcast from root size",
        "InvalidRoot",
        lambda comm: {"root": comm.size, "size": comm.size},
        lambda comm: comm.broadcast(f64(1), comm.size),
    ),
    (
        "a region of complex numbers",
        "InvalidArgument",
        argument("dtype", "create_shared_region"),
        lambda comm: comm.create_shared_region(np.complex128, 1),
    ),
]


def with_value(name: str, kind: str, fields: Any, call: Callable[[Communicator, Any], Any]) -> Any:
    """Misuses that differ in one value."""
    return lambda value: (
        f"{name} {value!r}",
        kind,
        fields(value) if callable(fields) else fields,
        lambda comm: call(comm, value),
    )


def _all_misuses() -> list[Misuse]:
    misuses = list(MISUSES)
    bad_op = with_value(
        "allreduce with op",
        "InvalidArgument",
        argument("op", "allreduce"),
        lambda comm, op: comm.allreduce(f64(1), f64(1), op),
    )
    misuses += [bad_op(op) for op in ("prod", "", "Sum", 1, None, ["sum"])]
    for array in NOT_ARRAYS:
        bad_arrays = [
            with_value(
                "allreduce from",
                "InvalidArgument",
                argument("send", "allreduce"),
                lambda comm, value: comm.allreduce(value, f64(1), "sum"),
            ),
            with_value(
                "allgatherv into",
                "InvalidArgument",
                argument("recv", "allgatherv"),
                lambda comm, value: comm.allgatherv(f64(1), value, [1] * comm.size, in_order(comm)),
            ),
            with_value(
                "broadcast of",
                "InvalidArgument",
                argument("buf", "broadcast"),
                lambda comm, value: comm.broadcast(value, 0),
            ),
        ]
        misuses += [bad(array) for bad in bad_arrays]
    for value in (-1, 0.5, float("nan"), float("inf"), 2**53, "1", None, True):
        bad_count = with_value(
            "allgatherv with the count",
            "InvalidArgument",
            argument("counts[0]"),
            lambda comm, v: comm.allgatherv(f64(1), f64(9), [v] * comm.size, in_order(comm)),
        )
        bad_displ = with_value(
            "allgatherv with the displacement",
            "InvalidArgument",
            argument("displs[0]"),
            lambda comm, v: comm.allgatherv(f64(1), f64(9), [1] * comm.size, [v] * comm.size),
        )
        misuses += [bad_count(value), bad_displ(value)]
    for counts in (None, 3, "12", np.ones((1, 4), np.int64)):
        bad_counts = with_value(
            "allgatherv with these counts:",
            "InvalidArgument",
            argument("counts"),
            lambda comm, v: comm.allgatherv(f64(1), f64(9), v, in_order(comm)),
        )
        misuses.append(bad_counts(counts))
    for root in (-1, 0.5, float("nan"), 10**9, "0", None):
        bad_root = with_value(
            "broadcast from root", "InvalidRoot", {}, lambda comm, v: comm.broadcast(f64(1), v)
        )
        misuses.append(bad_root(root))
    for count in (-1, 0.5, float("nan"), 2**60, "4"):
        bad_region = with_value(
            "a region of so many elements:",
            "InvalidArgument",
            argument("count", "create_shared_region"),
            lambda comm, v: comm.create_shared_region(np.float64, v),
        )
        misuses.append(bad_region(count))
    return misuses


def _refused(comm: Communicator, _: Path) -> None:
    for name, kind, fields, call in _all_misuses():
        expected = fields(comm) if callable(fields) else fields
        try:
            call(comm)
        except CommError as error:
            assert error.kind == kind, f"{name}: {error!r}"
            told = error.to_json()
            for field, value in expected.items():
                assert told[field] == value, f"{name}: {field} is {told[field]!r}"
            assert told["message"] == str(error) and told["kind"] == kind
        else:
            raise AssertionError(f"{name} was not refused")
    if comm.size > 1:
        try:
            pieces_over_each_other(comm)
            raise AssertionError("overlapping pieces were not refused")
        except CommError as error:
            assert error.kind == "InvalidArgument"


def _checked_again(comm: Communicator, _: Path) -> None:
    for _i in range(2):
        comm.allreduce(f64(4), f64(4), "sum")


def _still_works(comm: Communicator, _: Path) -> None:
    recv = f64(1)
    comm.allreduce(np.ones(1), recv, "sum")
    assert recv[0] == comm.size


def misuse_cases() -> list[tuple[str, Callable[[Communicator, Path], None]]]:
    return [
        ("refused: everything that Python could pass", _refused),
        (
            "a remembered pair of arrays is checked again when its lengths change",
            _checked_again,
        ),
        ("after all of that the communicator still works", _still_works),
    ]
