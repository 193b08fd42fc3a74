"""A case directory and its validation."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .arguments import check_config
from .engine import find_engine
from .errors import EngineError, ValidationError
from .issues import Issue, read_issue
from .node import find_node

#: The exit codes of `cobre validate` for a case that was checked, valid or not.
VALIDATED = (0, 3)


@dataclass(frozen=True)
class Case:
    """A case directory that was read and has no errors."""

    path: Path
    #: The content of its config.json.
    config: Mapping[str, Any]
    #: Its size (stages, openings, states, hydros, thermals, buses, lines) and its training settings.
    summary: Mapping[str, Any]
    warnings: tuple[Issue, ...]

    def __repr__(self) -> str:
        size = ", ".join(
            f"{self.summary[what]} {what}" for what in ("stages", "hydros", "thermals")
        )
        return f"Case({str(self.path)!r}: {size})"


@dataclass(frozen=True)
class Validation:
    """The result of a validation. It is true if the case has no errors."""

    issues: tuple[Issue, ...]
    #: `None` if the case has errors.
    summary: Mapping[str, Any] | None

    @property
    def errors(self) -> tuple[Issue, ...]:
        """The issues that make the case unusable."""
        return tuple(issue for issue in self.issues if issue.severity == "error")

    @property
    def warnings(self) -> tuple[Issue, ...]:
        """The issues that may be mistakes."""
        return tuple(issue for issue in self.issues if issue.severity == "warning")

    def __bool__(self) -> bool:
        return self.summary is not None


def load(path: str | os.PathLike[str]) -> Case:
    """Reads a case directory; raises a `ValidationError` with everything that is wrong with it.

    >>> cobre.load("examples/cases/four-regions")  # doctest: +SKIP
    Case('…/four-regions': 24 stages, 4 hydros, 36 thermals)
    """
    found = validate(path)
    if found.summary is None:
        count = "1 error" if len(found.errors) == 1 else f"{len(found.errors)} errors"
        listed = "\n".join(f"- {issue}" for issue in found.errors)
        raise ValidationError(f"the case has {count}:\n{listed}", issues=found.issues)
    directory = Path(found.summary["directory"])
    config = json.loads((directory / "config.json").read_text("utf-8-sig"))
    return Case(directory, config, found.summary, found.warnings)


def validate(
    path: str | os.PathLike[str], *, config: Mapping[str, Any] | None = None
) -> Validation:
    """Everything that is wrong with a case directory, with `config` merged into its config.json.

    >>> bool(cobre.validate("examples/cases/fast"))  # doctest: +SKIP
    True
    """
    command = [find_node(), find_engine(), "validate", os.fspath(path), "--json"]
    with tempfile.NamedTemporaryFile("w", prefix="cobre-", suffix=".json") as settings:
        json.dump(check_config(config), settings)
        settings.flush()
        command += ["--config", settings.name]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode not in VALIDATED:
        raise EngineError(
            f"the case could not be checked: {ran.stderr.strip()}",
            exit_code=ran.returncode,
            stderr=ran.stderr,
        )
    told = json.loads(ran.stdout)
    return Validation(tuple(map(read_issue, told["issues"])), told.get("summary"))


def directory_of(case: Case | str | os.PathLike[str]) -> Path:
    """The directory of a case, which may also be given as a path."""
    return case.path if isinstance(case, Case) else Path(case).resolve()
