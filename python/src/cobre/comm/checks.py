"""The preconditions of the collectives, checked before any memory is touched."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .arrays import DTYPE_NAMES, REDUCE_OPS, Array, ArrayType, flat, type_of_dtype
from .errors import InvalidArgument, InvalidBufferSize, InvalidRoot

#: TypeScript ranks cannot represent larger integers exactly.
_LARGEST_WHOLE = 2**53 - 1


class Pair(NamedTuple):
    """Two flat arrays of the same type that do not overlap."""

    send: Array
    recv: Array
    type: ArrayType


def check_pair(operation: str, send: object, recv: object) -> Pair:
    """Checks ``send`` and ``recv`` of an operation."""
    from_array, from_type = _checked_array(operation, "send", send)
    to_array, to_type = _checked_array(operation, "recv", recv)
    if from_type is not to_type:
        reason = (
            f"has the type {to_type.dtype}, but send has {from_type.dtype}; "
            "both must have the same type."
        )
        raise InvalidArgument(operation, "recv", reason)
    _check_writable(operation, "recv", to_array)
    if np.may_share_memory(from_array, to_array):
        reason = "overlaps send; give it memory of its own."
        raise InvalidArgument(operation, "recv", reason)
    return Pair(from_array, to_array, from_type)


def check_allreduce(send: object, recv: object, op: object) -> Pair:
    """Checks the arguments of an allreduce."""
    pair = check_pair("allreduce", send, recv)
    if not isinstance(op, str) or op not in REDUCE_OPS:
        shown = f'"{op}"' if isinstance(op, str) else repr(op)
        reason = f'is {shown}; it must be "sum", "min" or "max".'
        raise InvalidArgument("allreduce", "op", reason)
    if pair.send.size == 0:
        hint = "There is nothing to reduce."
        raise InvalidBufferSize("allreduce", "send", max(1, pair.recv.size), 0, hint)
    if pair.send.size != pair.recv.size:
        hint = "send and recv must have the same length."
        raise InvalidBufferSize("allreduce", "recv", pair.send.size, pair.recv.size, hint)
    return pair


class Pieces(NamedTuple):
    """The arguments of an allgatherv: this rank's piece, and where all pieces go."""

    pair: Pair
    counts: list[int]
    displs: list[int]


def check_allgatherv(
    rank: int, size: int, send: object, recv: object, counts: object, displs: object
) -> Pieces:
    """Checks the arguments of an allgatherv."""
    pair = check_pair("allgatherv", send, recv)
    whole_counts = _whole_numbers("counts", counts, size)
    whole_displs = _whole_numbers("displs", displs, size)
    for r, (displ, count) in enumerate(zip(whole_displs, whole_counts, strict=True)):
        if displ + count > pair.recv.size:
            hint = f"The piece of rank {r} ends at displs[{r}] + counts[{r}] = {displ} + {count}."
            raise InvalidBufferSize("allgatherv", "recv", displ + count, pair.recv.size, hint)
    _check_disjoint(whole_counts, whole_displs)
    if pair.send.size != whole_counts[rank]:
        hint = f"It must have counts[{rank}] elements, the count of this rank."
        raise InvalidBufferSize("allgatherv", "send", whole_counts[rank], pair.send.size, hint)
    return Pieces(pair, whole_counts, whole_displs)


def check_broadcast(buf: object, root: object, size: int) -> tuple[Array, ArrayType, int]:
    """Checks the arguments of a broadcast; returns the flat array, its type and the root."""
    array, array_type = _checked_array("broadcast", "buf", buf)
    _check_writable("broadcast", "buf", array)
    whole = _as_index(root)
    if whole is None or not 0 <= whole < size:
        raise InvalidRoot(root, size)
    return array, array_type, whole


def check_region(dtype: object, count: object) -> tuple[ArrayType, int]:
    """Checks the arguments of ``create_shared_region``; returns the type and the count."""
    operation = "create_shared_region"
    try:
        array_type = type_of_dtype(np.dtype(dtype))  # type: ignore[call-overload]
    except TypeError:
        array_type = None
    if array_type is None or dtype is None:
        raise InvalidArgument(operation, "dtype", f"must be one of {DTYPE_NAMES}.")
    whole = _as_index(count)
    if whole is None or whole < 0 or whole * array_type.item_bytes > _LARGEST_WHOLE:
        reason = f"is {count!r}; it must be a whole number of elements, 0 or more."
        raise InvalidArgument(operation, "count", reason)
    return array_type, whole


def _checked_array(operation: str, argument: str, value: object) -> tuple[Array, ArrayType]:
    if not isinstance(value, np.ndarray) or isinstance(value, np.ma.MaskedArray):
        reason = f"is a {type(value).__name__}; it must be a NumPy array of one of {DTYPE_NAMES}."
        raise InvalidArgument(operation, argument, reason)
    array_type = type_of_dtype(value.dtype)
    if array_type is None:
        reason = (
            f"has the type {value.dtype}; it must be one of {DTYPE_NAMES}, in native byte order."
        )
        raise InvalidArgument(operation, argument, reason)
    if not value.flags.c_contiguous:
        reason = (
            "is not contiguous; pass a contiguous array, such as numpy.ascontiguousarray gives."
        )
        raise InvalidArgument(operation, argument, reason)
    if not value.flags.aligned:
        raise InvalidArgument(operation, argument, "is not aligned; pass a copy of it.")
    return flat(value), array_type


def _check_writable(operation: str, argument: str, array: Array) -> None:
    if not array.flags.writeable:
        raise InvalidArgument(
            operation, argument, "is read-only; pass an array that can be written."
        )


def _as_index(value: object) -> int | None:
    """The value as an int, if it is an integer of Python or NumPy; else None."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def _whole_numbers(argument: str, values: object, size: int) -> list[int]:
    if isinstance(values, str) or not (
        isinstance(values, (Sequence, np.ndarray)) and getattr(values, "ndim", 1) == 1
    ):
        reason = "must be a list or an array of whole numbers, one per rank."
        raise InvalidArgument("allgatherv", argument, reason)
    if len(values) != size:
        hint = "It has one entry per rank."
        raise InvalidBufferSize("allgatherv", argument, size, len(values), hint)
    numbers = []
    for r, value in enumerate(values):
        whole = _as_index(value)
        if whole is None or not 0 <= whole <= _LARGEST_WHOLE:
            reason = f"is {value}; it must be a whole number, 0 or more."
            raise InvalidArgument("allgatherv", f"{argument}[{r}]", reason)
        numbers.append(whole)
    return numbers


def _check_disjoint(counts: Sequence[int], displs: Sequence[int]) -> None:
    ranks = sorted((r for r in range(len(counts)) if counts[r] > 0), key=lambda r: displs[r])
    for left, right in itertools.pairwise(ranks):
        if displs[left] + counts[left] > displs[right]:
            reason = f"makes the pieces of ranks {left} and {right} overlap; they must be disjoint."
            raise InvalidArgument("allgatherv", "displs", reason)
