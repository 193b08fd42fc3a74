"""The directory of the results: the caller's, or a temporary one."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from pathlib import Path

#: Where the engine writes subproblems that cannot be solved.
FAILURES = "failures"


class Output:
    """An output directory. A temporary one is removed when it is closed or garbage-collected."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.is_temporary = path is None
        self.path = Path(tempfile.mkdtemp(prefix="cobre-") if path is None else path).resolve()
        self._remove = (
            weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
            if self.is_temporary
            else None
        )

    def close(self) -> None:
        """Removes the directory if it is temporary."""
        if self._remove is not None:
            self._remove()

    def close_after(self, error: BaseException) -> None:
        """Closes the directory after a failure, unless the error refers to files in it. They then stay as long as the error."""
        if getattr(error, "result", None) is not None:
            return
        if (self.path / FAILURES).is_dir():
            error.__dict__["_output"] = self
        else:
            self.close()

    def copy_to(self, path: str | os.PathLike[str]) -> Path:
        """Copies everything in it to a directory that does not exist yet."""
        return Path(shutil.copytree(self.path, path))
