"""How long a collective may take."""

from __future__ import annotations

import math
import time
from typing import Final

#: The first warning about a late rank, where there is no limit to take half of.
_FIRST_WARNING_SECS: Final = 30.0


class Deadline:
    """The clock of a call. It starts when the call first has to sleep."""

    def __init__(self, timeout_secs: float) -> None:
        #: ``math.inf`` if ranks that live may take as long as they need.
        self.timeout_secs = timeout_secs
        self._started_at: float | None = None
        self._warn_at = 0.0

    def reset(self) -> None:
        """A new call begins."""
        self._started_at = None

    def start(self) -> bool:
        """Starts the clock, unless it runs. Returns whether it was started now."""
        if self._started_at is not None:
            return False
        self._started_at = time.monotonic()
        self._warn_at = min(self.timeout_secs / 2, _FIRST_WARNING_SECS)
        return True

    @property
    def elapsed(self) -> float:
        """The seconds since the clock was started."""
        return 0.0 if self._started_at is None else time.monotonic() - self._started_at

    def seconds_of(self, elapsed: float) -> float:
        """What a message calls the time that was waited: the limit, or without one the time itself."""
        return self.timeout_secs if math.isfinite(self.timeout_secs) else round(elapsed, 3)

    def is_warning_due(self, elapsed: float) -> bool:
        """Whether it is time to say that a rank is late; each time the wait has doubled."""
        if elapsed <= self._warn_at:
            return False
        self._warn_at = 2 * elapsed
        return True
