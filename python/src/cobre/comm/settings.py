"""The settings of a process in a group: from arguments first, then from variables."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final, NamedTuple, NoReturn

from .errors import InvalidConfiguration

#: How long to wait for other ranks by default.
DEFAULT_TIMEOUT_SECS: Final = 60.0

#: How a variable says that ranks which live may take as long as they need.
NO_TIMEOUT: Final = "none"

#: How long a machine may be silent before it counts as gone.
DEFAULT_SILENCE_SECS: Final = 105.0

Environment = Mapping[str, str]


class Setting(NamedTuple):
    """A value, and its origin for error messages."""

    value: object
    origin: str
    #: The value as it was written.
    text: str


class Settings:
    """The settings of one backend, by the names of the arguments of ``connect``."""

    def __init__(
        self,
        backend: str,
        variables: Mapping[str, str],
        arguments: Mapping[str, object],
        environment: Environment,
        elsewhere: Mapping[str, object] | None = None,
    ) -> None:
        self._backend = backend
        self._found: dict[str, Setting] = {}
        for name, variable in variables.items():
            argument = arguments.get(name)
            text = environment.get(variable)
            other = (elsewhere or {}).get(name)
            if argument is not None:
                self._found[name] = Setting(argument, name, str(argument))
            elif text is not None:
                self._found[name] = Setting(text, variable, text)
            elif other is not None:
                self._found[name] = Setting(other, variable, str(other))

    def has(self, name: str) -> bool:
        """Whether the setting was given."""
        return name in self._found

    def text(self, name: str, default: str) -> str:
        """The setting as text."""
        found = self._found.get(name)
        if found is None:
            return default
        if not isinstance(found.value, str):
            self.refuse(name, "it is a text.")
        return found.value

    def number(self, name: str, default: float) -> float:
        """The setting as a number; NaN if it is not a number. An empty text and " 3" are not numbers."""
        found = self._found.get(name)
        if found is None:
            return default
        if isinstance(found.value, str):
            is_number = re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?", found.value) is not None
            return float(found.value) if is_number else math.nan
        if isinstance(found.value, (int, float)) and not isinstance(found.value, bool):
            return float(found.value)
        return math.nan

    def whole(self, name: str, lowest: int, highest: int, reason: str, default: int = 0) -> int:
        """The setting as an integer in a range."""
        number = float(self.number(name, default))
        if not (math.isfinite(number) and number.is_integer() and lowest <= number <= highest):
            self.refuse(name, reason)
        return int(number)

    def place(self, max_ranks: int) -> Place:
        """The rank, the size and the timeout."""
        size = self.whole(
            "size", 1, max_ranks, f"the number of ranks is a whole number from 1 to {max_ranks}."
        )
        rank = self.whole(
            "rank", 0, size - 1, f"with {size} ranks a rank is a whole number from 0 to {size - 1}."
        )
        return Place(rank, size, self._timeout())

    def _timeout(self) -> float:
        found = self._found.get("timeout")
        if found is not None and found.value == NO_TIMEOUT:
            return math.inf
        timeout = self.number("timeout", DEFAULT_TIMEOUT_SECS)
        if not timeout > 0:
            reason = "a timeout is a number of seconds greater than 0; for no limit use "
            self.refuse("timeout", f"{reason}math.inf, or {NO_TIMEOUT} in a variable.")
        return timeout

    def refuse(self, name: str, reason: str) -> NoReturn:
        """Raises the error for a setting that cannot be used."""
        found = self._found.get(name, Setting(None, name, ""))
        # The token is secret and must not appear in messages and logs.
        shown = "***" if name == "token" else found.text
        raise InvalidConfiguration(self._backend, found.origin, shown, reason)


def start_limit(timeout_secs: float) -> float:
    """How long the start may take: a rank that was never started is not a slow one."""
    return timeout_secs if math.isfinite(timeout_secs) else DEFAULT_TIMEOUT_SECS


class Place(NamedTuple):
    """A process's place in a group."""

    rank: int
    size: int
    timeout_secs: float
