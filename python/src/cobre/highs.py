"""Finds the native HiGHS that comes with the Python package highspy, for the engine."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path

VARIABLE = "COBRE_HIGHS_LIBRARY"
#: Solvers that use a native HiGHS if there is one.
NATIVE = ("highs-native", "auto")
NAMES = ("libhighs.so.1", "libhighs.1.dylib")


def find_highs() -> Path | None:
    """The library of highspy in this environment, without importing the package."""
    package = importlib.util.find_spec("highspy")
    if package is None or package.origin is None:
        return None
    folder = Path(package.origin).parent
    return next((folder / name for name in NAMES if (folder / name).is_file()), None)


def variables_for(solver: str, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What the engine needs in its environment to use the library of this Python. What the user has named stays."""
    library = find_highs() if solver in NATIVE and not environment.get(VARIABLE) else None
    return {} if library is None else {VARIABLE: str(library)}
