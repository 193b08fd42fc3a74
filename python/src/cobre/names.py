"""Converts names between the engine's camel case and Python's snake case."""

from __future__ import annotations

import re


def snake(name: str) -> str:
    """``lowerBound`` as ``lower_bound``."""
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def camel(name: str) -> str:
    """``lower_bound`` as ``lowerBound``."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
