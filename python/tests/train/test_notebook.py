"""The notebook runs from the first cell to the last."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).resolve().parents[3] / "examples" / "python" / "train.ipynb"


@pytest.mark.rest
def test_notebook(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    notebook = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in cells)
    client = NotebookClient(notebook, timeout=300, kernel_name="python3")
    client.execute(cwd=str(NOTEBOOK.parent))
    shown = "".join(str(cell.outputs) for cell in cells)
    assert "<progress value=" in shown and "iteration 20/20" in shown
    assert "worker 1 over shm" in shown
    assert "config.json | training.selection.forward_passes" in shown
