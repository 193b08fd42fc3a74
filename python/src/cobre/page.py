"""The report on a run: one HTML page, shown in a notebook or saved."""

from __future__ import annotations

import html
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .engine import find_engine
from .errors import EngineError, InvalidOutput
from .node import find_node
from .simulation import SimulationResult
from .training_result import TrainingResult

#: The exit code of `cobre report` for a directory that it cannot use.
UNUSABLE = 4


@dataclass(frozen=True)
class Report:
    """A page with the results of a run: charts, scenarios to choose, tables. It needs no network.

    A notebook shows it by itself; elsewhere, :meth:`save` it and open the file in a browser.
    """

    #: The whole page.
    html: str
    #: How high a notebook shows it, in pixels.
    height: int = 720

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page to a file, and returns its path."""
        file = Path(path)
        file.write_text(self.html, "utf-8")
        return file

    def _repr_html_(self) -> str:
        # A frame keeps its style and the notebook's apart.
        page = html.escape(self.html, quote=True)
        style = f"width: 100%; height: {self.height}px; border: 0"
        return f'<iframe srcdoc="{page}" style="{style}" title="Cobre report"></iframe>'

    def __repr__(self) -> str:
        return f"Report({len(self.html) / 1e6:.1f} MB; save(path) writes it to a file)"


def report(
    run: TrainingResult | SimulationResult | str | os.PathLike[str], *, height: int = 720
) -> Report:
    """The results of a run to look at, from the files that it has written.

    :param run: the result of `train` or `simulate`, or the output directory of any run
    :param height: how high a notebook shows it, in pixels

    >>> cobre.report("out").save("report.html")  # doctest: +SKIP
    """
    results = (TrainingResult, SimulationResult)
    directory = run.output if isinstance(run, results) else Path(run).resolve()
    with tempfile.TemporaryDirectory(prefix="cobre-") as folder:
        file = Path(folder) / "report.html"
        command = [find_node(), find_engine(), "report", str(directory), "--html", str(file)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode == UNUSABLE:
            message = ran.stderr.strip().removeprefix("cobre: ")
            raise InvalidOutput(message, path=str(directory))
        if ran.returncode != 0:
            raise EngineError(
                f"there is no report on {directory}: {ran.stderr.strip()}",
                exit_code=ran.returncode,
                stderr=ran.stderr,
            )
        return Report(file.read_text("utf-8"), height)
