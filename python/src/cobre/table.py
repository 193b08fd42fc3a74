"""A table of columns, which can be converted for other libraries."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import MissingLibrary

Column = npt.NDArray[Any]


class Table(Mapping[str, Column]):
    """Columns by name, each a read-only NumPy array.

    >>> result.convergence["lower_bound"]  # doctest: +SKIP
    >>> result.convergence.to_pandas()  # doctest: +SKIP
    """

    def __init__(self, columns: Mapping[str, Column]) -> None:
        self._columns = {name: np.ascontiguousarray(column) for name, column in columns.items()}
        for column in self._columns.values():
            column.flags.writeable = False

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self._columns.values()), ()))

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame``."""
        return library("pandas").DataFrame(dict(self._columns))

    def to_arrow(self) -> Any:
        """A ``pyarrow.Table``."""
        return library("pyarrow").table(dict(self._columns))

    def to_polars(self) -> Any:
        """A ``polars.DataFrame``."""
        return library("polars").DataFrame(dict(self._columns))

    def __repr__(self) -> str:
        return f"Table({self.rows} rows: {', '.join(self._columns)})"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in self._columns)
        rows = zip(*self._columns.values(), strict=True)
        body = "".join(
            f"<tr>{''.join(f'<td>{value:.10g}</td>' for value in row)}</tr>" for row in rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def library(name: str) -> Any:
    """Imports an optional library."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingLibrary(
            f"this needs {name}, which is not installed: pip install {name}", library=name
        ) from error
