"""Shapes and lengths of the conformance table, as packages/comm/test/conformance has them."""

from __future__ import annotations

from collections.abc import Callable

SHAPES: dict[str, Callable[[int, int], list[int]]] = {
    "regular": lambda size, scale: [scale] * size,
    "onlyFirst": lambda size, scale: [scale if r == 0 else 0 for r in range(size)],
    "spike": lambda size, scale: [4 * scale if r == size >> 1 else 1 for r in range(size)],
    "halfFull": lambda size, scale: [scale if r % 2 == 0 else 0 for r in range(size)],
    "decreasing": lambda size, scale: [(size - 1 - r) * scale for r in range(size)],
    "bell": lambda size, scale: [min(r, size - 1 - r) * scale + 1 for r in range(size)],
}


def interesting_lengths(size: int) -> list[int]:
    """Lengths around everything that could matter."""
    lengths = {1, 2, size - 1, size, size + 1, 7, 8, 9, 31, 32, 33, 1000, 1024, 10_007}
    return sorted(length for length in lengths if length > 0)
