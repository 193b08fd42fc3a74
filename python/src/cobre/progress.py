"""A progress bar: in a terminal, in a notebook, or as lines of a log."""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from .errors import InvalidArgument
from .events import (
    Event,
    IterationDone,
    RunStarted,
    ScenarioDone,
    SimulationStarted,
    TrainingStarted,
)
from .job import Listener

#: None or False for nothing, True for a bar, or a function that is called with each event.
Progress = bool | Callable[[Event], None] | None

WIDTH = 30
#: Seconds between lines of a log, and between updates of a bar.
LINE_SECONDS = 10.0
BAR_SECONDS = 0.1


@contextmanager
def listening(progress: Progress) -> Iterator[Listener | None]:
    """Provides the listener for events, if there is one."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        bar = ProgressBar(_screen())
        try:
            yield bar
        finally:
            bar.close()
    elif callable(progress):
        yield progress
    else:
        raise InvalidArgument(
            "progress must be True, None or a function of an event", argument="progress"
        )


class ProgressBar:
    """Turns events into a line that is updated again and again."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._limit: int | None = None
        self._first = 0
        self._shown_at = float("-inf")
        self._latest: tuple[float, str] | None = None

    def __call__(self, event: Event) -> None:
        if isinstance(event, RunStarted):
            self._limit = event.iteration_limit
        elif isinstance(event, TrainingStarted):
            self._first = event.after_iteration
            self._show(0.0, "training begins")
        elif isinstance(event, IterationDone):
            self._iteration(event)
        elif isinstance(event, SimulationStarted):
            self._show(0.0, f"simulating {event.scenarios} scenarios")
        elif isinstance(event, ScenarioDone):
            self._show(event.done / event.of, f"simulating {event.done}/{event.of}")

    def close(self) -> None:
        """Shows the last state and leaves it on the screen."""
        if self._latest is not None:
            self._screen.show(*self._latest)
        self._screen.close()

    def _iteration(self, event: IterationDone) -> None:
        record = event.record
        done = record.iteration - self._first
        limit = self._limit
        of, left, share = "", "", 0.0
        if limit is not None:
            of = f"/{limit}"
            ms = event.elapsed_ms / done * max(0, limit - record.iteration)
            left = f", {ms / 1000:.1f} s left"
            share = record.iteration / max(1, limit)
        text = (
            f"iteration {record.iteration}{of}  lower bound {record.lower_bound:.6g}  "
            f"cuts {record.cuts_active}  {event.elapsed_ms / 1000:.1f} s{left}"
        )
        self._show(share, text)

    def _show(self, share: float, text: str) -> None:
        self._latest = share, text
        now = time.monotonic()
        if now - self._shown_at < self._screen.period:
            return
        self._shown_at = now
        self._screen.show(share, text)


class Screen:
    """Where a bar is shown: as lines of a log."""

    period = LINE_SECONDS

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self._last = ""

    def show(self, share: float, text: str) -> None:
        """Shows the progress: `share` from 0 to 1, and as text."""
        if text != self._last:
            self.stream.write(f"{text}\n")
            self.stream.flush()
        self._last = text

    def close(self) -> None:
        """Ends the display."""


class Terminal(Screen):
    """One line that is overwritten again and again."""

    period = BAR_SECONDS

    def show(self, share: float, text: str) -> None:
        filled = round(WIDTH * min(1.0, share))
        self.stream.write(f"\r\x1b[2K{'█' * filled}{'░' * (WIDTH - filled)} {text}")
        self.stream.flush()

    def close(self) -> None:
        self.stream.write("\n")
        self.stream.flush()


class Notebook(Screen):
    """An HTML bar that is updated in place."""

    period = BAR_SECONDS

    def __init__(self, display: Callable[..., Any]) -> None:
        super().__init__(sys.stderr)
        self._handle = display(_Html("", ""), display_id=True)

    def show(self, share: float, text: str) -> None:
        self._handle.update(_Html(_bar(share, text), text))


class _Html:
    """The bar as HTML for a notebook, and as text for a console."""

    def __init__(self, markup: str, text: str) -> None:
        self._markup = markup
        self._text = text

    def _repr_html_(self) -> str:
        return self._markup

    def __repr__(self) -> str:
        return self._text


def _bar(share: float, text: str) -> str:
    return (
        f'<progress value="{min(1.0, share):.4f}" max="1" style="width:16em"></progress> '
        f"<code>{html.escape(text)}</code>"
    )


def _screen() -> Screen:
    """The notebook that runs this code, or else the terminal or log that stderr is."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is not None and hasattr(shell, "kernel"):
        from IPython.display import display  # noqa: PLC0415 (it is optional)

        return Notebook(display)
    return Terminal(sys.stderr) if sys.stderr.isatty() else Screen(sys.stderr)
