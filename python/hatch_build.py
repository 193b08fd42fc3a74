"""Puts the engine into the wheel: the built packages, and the files that they need from their dependencies.

The native library of the engine is for the machine on which the wheel is built, and the wheel is tagged for it.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent.parent
INSTALLED = ROOT / "node_modules"
TARGET = Path("cobre/_engine/node_modules")
START = "cobre"

#: Files that are needed at run time, and licences, which must stay with them.
RUNS = {".js", ".mjs", ".cjs", ".json", ".wasm", ".node"}
LICENCES = ("LICENSE", "LICENCE", "NOTICE")
#: Parts of packages that are never loaded: other builds, other C libraries, build tools.
UNUSED = {
    "koffi": ("doc", "lib", "vendor", "cnoke.cjs"),
    "@koromix/koffi-linux-x64": ("musl_x64",),
    "@koromix/koffi-linux-arm64": ("musl_arm64",),
    "highs": ("build/highs.js",),
}


#: The dashboard in the terminal is for `cobre` of npm, which loads it only when it is asked for.
LEFT_OUT = {"@cobre/tui"}


class EngineHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the engine to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return  # an editable install uses the engine of the checkout
        if not (ROOT / "packages" / "cli" / "dist").is_dir():
            sys.exit("The engine is not built: run `npm ci && npm run build` first.")
        for package in sorted(_needed(START, set())):
            for file in _files(package):
                source = INSTALLED / package / file
                build_data["force_include"][str(source.resolve())] = str(TARGET / package / file)
        build_data["tag"] = f"py3-none-{_platform()}"
        build_data["pure_python"] = False


def _platform() -> str:
    """The platform tag. The native library needs glibc 2.25; NumPy needs a later one."""
    return f"manylinux_2_28_{platform.machine()}"


def _needed(package: str, found: set[str]) -> set[str]:
    """A package and all its installed dependencies."""
    manifest = INSTALLED / package / "package.json"
    if package in found or package in LEFT_OUT or not manifest.exists():
        return found
    found.add(package)
    told = json.loads(manifest.read_text())
    for name in (*told.get("dependencies", {}), *told.get("optionalDependencies", {})):
        _needed(name, found)
    return found


def _files(package: str) -> Iterator[Path]:
    folder = INSTALLED / package
    is_ours = package == START or package.startswith("@cobre/")
    unused = UNUSED.get(package, ())
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder)
        if not file.is_file() or "node_modules" in path.parts:
            continue
        if is_ours and path.parts[0] not in ("bin", "dist", "package.json"):
            continue
        if any(str(path) == name or str(path).startswith(f"{name}/") for name in unused):
            continue
        if file.suffix in RUNS or path.name.startswith(LICENCES):
            yield path
