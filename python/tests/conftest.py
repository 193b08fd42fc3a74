"""Leaves out the tests that are not in the scope of the run."""

from __future__ import annotations

import pytest

from scope import SCOPE, SCOPES, is_in_scope


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if SCOPE not in SCOPES:
        raise pytest.UsageError(f"COBRE_TEST_SCOPE is {SCOPE}; it can be {', '.join(SCOPES)}")
    others = [item for item in items if not is_in_scope(item)]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if is_in_scope(item)]
