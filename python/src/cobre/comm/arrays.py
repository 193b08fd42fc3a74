"""The array types a collective can carry. The codes are part of the protocols: never renumber."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class ArrayType(NamedTuple):
    """An array type that collectives can carry."""

    #: Its name in TypeScript, which messages about calls use.
    name: str
    code: int
    dtype: np.dtype[Any]

    @property
    def item_bytes(self) -> int:
        """Bytes per element."""
        return int(self.dtype.itemsize)


_TABLE: Final = (
    ("Float64Array", np.float64),
    ("Float32Array", np.float32),
    ("Int8Array", np.int8),
    ("Int16Array", np.int16),
    ("Int32Array", np.int32),
    ("Uint8Array", np.uint8),
    ("Uint16Array", np.uint16),
    ("Uint32Array", np.uint32),
    ("BigInt64Array", np.int64),
    ("BigUint64Array", np.uint64),
)

ARRAY_TYPES: Final[tuple[ArrayType, ...]] = tuple(
    ArrayType(name, code, np.dtype(scalar)) for code, (name, scalar) in enumerate(_TABLE, start=1)
)

#: For error messages.
DTYPE_NAMES: Final = ", ".join(str(array_type.dtype) for array_type in ARRAY_TYPES)

_BY_KIND: Final = {
    (array_type.dtype.kind, array_type.item_bytes): array_type for array_type in ARRAY_TYPES
}

FLOAT64: Final = ARRAY_TYPES[0]
INT32: Final = ARRAY_TYPES[4]

#: The operations with their protocol codes: never renumber.
REDUCE_OPS: Final = {"sum": 1, "min": 2, "max": 3}


def type_of_dtype(dtype: np.dtype[Any]) -> ArrayType | None:
    """The array type for a dtype, or None if a collective cannot carry it."""
    # `int64` and `longlong` are the same type under two names, so kind and size decide.
    return _BY_KIND.get((dtype.kind, dtype.itemsize)) if dtype.isnative else None


def flat(array: Array) -> Array:
    """A one-dimensional view of a contiguous array."""
    return np.asarray(array).reshape(-1)


def bytes_of(array: Array) -> memoryview:
    """A view of the bytes of a flat array."""
    return array.view(np.uint8).data if array.size > 0 else memoryview(bytearray())
