"""The rule of reduction, with NumPy. It gives the same bytes as packages/comm/src/fold/rule.ts.

Vectors are folded in rank order in the arithmetic of their type: floats round at each step, integers
wrap. A NaN result is stored as the canonical quiet NaN; min and max give NaN if either side is NaN; of
two zeros min takes -0 and max +0. NumPy leaves NaN payloads and signed zeros to the processor, so they are corrected here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from .arrays import Array

#: How many elements are folded at a time, so that operands and temporaries stay in the caches.
_CHUNK_ELEMENTS: Final = 16_384

_UFUNCS: Final = {"sum": np.add, "min": np.minimum, "max": np.maximum}


def fold(operands: Sequence[Array], out: Array, op: str) -> None:
    """Folds ``operands``, one per rank in rank order, into ``out``, which may be one of the first two.

    A single operand is copied, NaN payloads included.
    """
    if len(operands) == 1:
        out.view(np.uint8)[...] = operands[0].view(np.uint8)
    elif out.dtype.kind == "f":
        _fold_floats(operands, out, op)
    else:
        ufunc = _UFUNCS[op]
        ufunc(operands[0], operands[1], out=out)
        for operand in operands[2:]:
            ufunc(out, operand, out=out)


def _fold_floats(operands: Sequence[Array], out: Array, op: str) -> None:
    with np.errstate(all="ignore"):
        for at in range(0, out.size, _CHUNK_ELEMENTS):
            parts = [operand[at : at + _CHUNK_ELEMENTS] for operand in operands]
            accumulator = parts[0]
            for part in parts[1:]:
                accumulator = _combine(accumulator, part, op)
            out[at : at + _CHUNK_ELEMENTS] = accumulator


def _combine(a: Array, b: Array, op: str) -> Array:
    result: Array = _UFUNCS[op](a, b)
    if op != "sum":
        zero = result == 0
        if zero.any():
            # The result is a zero, so any nonzero operand has lost the comparison: only signs matter.
            negative = np.signbit(a[zero]), np.signbit(b[zero])
            sign = negative[0] | negative[1] if op == "min" else negative[0] & negative[1]
            result[zero] = np.where(sign, -0.0, 0.0)
    undefined = np.isnan(result)
    if undefined.any():
        result[undefined] = np.nan
    return result
