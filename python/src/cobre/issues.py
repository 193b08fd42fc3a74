"""Errors and warnings about a case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Issue:
    """An error in a case, or something that looks like one."""

    #: "error" or "warning".
    severity: str
    #: "schema", "references", "physics", "stochastic" or "dimensions".
    layer: str
    #: A file of the case directory, with the entity and the field if they are known.
    file: str
    entity: str | None
    field: str | None
    #: What is wrong, and how to put it right.
    problem: str
    remedy: str

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.file, self.entity, self.field) if part)
        return f"{where}: {self.problem}; {self.remedy}"


def read_issue(told: Mapping[str, Any]) -> Issue:
    """The issue that the engine reported."""
    return Issue(
        severity=told["severity"],
        layer=told["layer"],
        file=told["file"],
        entity=told.get("entity"),
        field=told.get("field"),
        problem=told["problem"],
        remedy=told["remedy"],
    )
