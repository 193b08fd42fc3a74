"""Finds the engine: in the wheel, or in the checkout that contains this package."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from .errors import EngineError

PACKAGE = Path(__file__).resolve().parent
BUNDLED = PACKAGE / "_engine" / "node_modules" / "cobre"
CHECKED_OUT = PACKAGE.parents[2] / "packages" / "cli"


@lru_cache
def find_engine() -> str:
    """The path of the program that Node.js runs."""
    for package in (BUNDLED, CHECKED_OUT):
        program = package / "bin" / "cobre.js"
        if program.exists() and (package / "dist").is_dir():
            return str(program)
    raise EngineError(
        f"The engine is not in {PACKAGE}. Install Cobre from a wheel; in a checkout, build it "
        "with `npm ci && npm run build`.",
        exit_code=0,
        stderr="",
    )
