"""A case and its validation."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .arguments import check_case, check_config
from .engine import find_engine
from .errors import EngineError, ValidationError
from .issues import Issue, read_issue
from .node import find_node

#: The exit codes of `cobre validate` for a case that was checked, valid or not.
VALIDATED = (0, 3)


@dataclass(frozen=True)
class Case:
    """A case that was read and has no errors."""

    #: The directory or JSON file; `None` if the case was given as a mapping.
    path: Path | None
    #: Its configuration.
    config: Mapping[str, Any]
    #: Its size (stages, openings, states, hydros, thermals, buses, lines) and its training settings.
    summary: Mapping[str, Any]
    warnings: tuple[Issue, ...]
    #: The parts of a case that was given as a mapping.
    parts: Mapping[str, Any] | None = None

    def __repr__(self) -> str:
        size = ", ".join(
            f"{self.summary[what]} {what}" for what in ("stages", "hydros", "thermals")
        )
        name = self.summary["name"] if self.path is None else str(self.path)
        return f"Case({name!r}: {size})"


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


def load(case: str | os.PathLike[str] | Mapping[str, Any]) -> Case:
    """Reads a case; raises a `ValidationError` with everything that is wrong with it.

    :param case: a case directory, a case in one JSON file, or a mapping with the parts of a case: its keys are the names of the files of
        a case directory, its values what the files hold

    >>> cobre.load("examples/cases/four-regions")  # doctest: +SKIP
    Case('…/four-regions': 24 stages, 4 hydros, 36 thermals)
    """
    found = validate(case)
    if found.summary is None:
        count = "1 error" if len(found.errors) == 1 else f"{len(found.errors)} errors"
        listed = "\n".join(f"- {issue}" for issue in found.errors)
        raise ValidationError(f"the case has {count}:\n{listed}", issues=found.issues)
    if isinstance(case, Mapping):
        parts = check_case(case)
        return Case(None, parts["config"], found.summary, found.warnings, parts)
    path = Path(case).resolve()
    if path.is_file():
        config = json.loads(path.read_text("utf-8-sig"))["config"]
    else:
        config = json.loads((path / "config.json").read_text("utf-8-sig"))
    return Case(path, config, found.summary, found.warnings)


def validate(
    case: str | os.PathLike[str] | Mapping[str, Any], *, config: Mapping[str, Any] | None = None
) -> Validation:
    """Everything that is wrong with a case, with `config` merged into its configuration.

    >>> bool(cobre.validate("examples/cases/fast"))  # doctest: +SKIP
    True
    """
    with tempfile.TemporaryDirectory(prefix="cobre-") as folder, case_path(case) as path:
        settings = Path(folder) / "settings.json"
        settings.write_text(json.dumps(check_config(config)))
        command = [find_node(), find_engine(), "validate", str(path), "--json"]
        command += ["--config", str(settings)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode not in VALIDATED:
        raise EngineError(
            f"the case could not be checked: {ran.stderr.strip()}",
            exit_code=ran.returncode,
            stderr=ran.stderr,
        )
    told = json.loads(ran.stdout)
    return Validation(tuple(map(read_issue, told["issues"])), told.get("summary"))


@contextmanager
def case_path(case: Case | str | os.PathLike[str] | Mapping[str, Any]) -> Iterator[Path]:
    """Where the engine reads a case. One that is a mapping is a file as long as it is needed."""
    parts = case.parts if isinstance(case, Case) else case
    if isinstance(parts, Mapping):
        with tempfile.TemporaryDirectory(prefix="cobre-case-") as folder:
            file = Path(folder) / "case.json"
            file.write_text(json.dumps(check_case(parts)))
            yield file
    elif isinstance(case, Case):
        assert case.path is not None
        yield case.path
    else:
        yield Path(case).resolve()  # type: ignore[arg-type]
