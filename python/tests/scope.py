"""Which part of a table of tests runs: `npm test` runs the quick part, `npm run test:rest` the rest, `npm run test:all` both."""

from __future__ import annotations

import os
from typing import Any

import pytest

SCOPES = ("quick", "rest", "all")

SCOPE = os.environ.get("COBRE_TEST_SCOPE", "quick")


def rest(*values: Any) -> Any:
    """A line of a table that repeats a check in another setting."""
    return pytest.param(*values, marks=pytest.mark.rest)


def is_in_scope(item: pytest.Item) -> bool:
    """Whether this run has the test: one line marked as rest is enough to make it part of the rest."""
    is_rest = item.get_closest_marker("rest") is not None
    return SCOPE == "all" or is_rest == (SCOPE == "rest")
