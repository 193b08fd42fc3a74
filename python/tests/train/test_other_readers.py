"""Other programs read the tables of a simulation as the engine does, bit by bit."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from pyarrow import parquet

import cobre
from cobre.engine import find_engine
from cobre.node import find_node
from scope import rest

Settings = Callable[..., dict[str, Any]]
Digests = dict[str, dict[str, str]]

#: Prints a hash of the doubles of each column, in the order of the scenarios. A missing value is NaN.
OURS = """
const { openRun } = await import(process.argv[1]);
const { createHash } = await import("node:crypto");
const { simulation } = await openRun(process.argv[2]);
const digests = {};
for (const table of simulation.tables) {
  const hashes = {};
  for await (const { columns } of simulation.scenariosOf(table)) {
    for (const [name, values] of Object.entries(columns)) {
      hashes[name] ??= createHash("sha256");
      hashes[name].update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    }
  }
  digests[table] = {};
  for (const name in hashes) digests[table][name] = hashes[name].digest("hex");
}
console.log(JSON.stringify(digests));
"""


def ours(output: Path) -> Digests:
    library = Path(find_engine()).parents[2] / "study" / "dist" / "index.js"
    command = [find_node(), "--input-type=module", "-e", OURS, library.as_uri(), str(output)]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    digests: Digests = json.loads(told.stdout)
    return digests


def digest(column: Any) -> str:
    """The hash of a column: a list, or a NumPy array, masked or not."""
    doubles = np.ma.filled(np.ma.asarray(column).astype(np.float64), np.nan)
    return hashlib.sha256(np.ascontiguousarray(doubles).tobytes()).hexdigest()


def by_duckdb(output: Path, table: str, hive: bool) -> dict[str, str]:
    files = output / "simulation" / table / ("*/*.parquet" if hive else "*.parquet")
    options = f"hive_partitioning={hive}, filename=true, file_row_number=true"
    # The names of files sort as their scenarios do, and rows keep their order in a file.
    query = f"FROM read_parquet('{files}', {options}) ORDER BY filename, file_row_number"
    rows = duckdb.sql(query).fetchnumpy()
    return {name: digest(rows[name]) for name in rows if name != "filename"}


def by_pyarrow(output: Path, table: str) -> dict[str, str]:
    folder = output / "simulation" / table
    read = parquet.read_table(folder, page_checksum_verification=True)
    return {
        name: digest([np.nan if value is None else value for value in read[name].to_pylist()])
        for name in read.column_names
    }


@pytest.mark.parametrize(("workers", "hive"), [(1, False), rest(2, False), rest(1, True)])
def test_the_same_numbers(
    cases: Path, tmp_path: Path, quick: Settings, workers: int, hive: bool
) -> None:
    case, output = cases / "four-regions", tmp_path / "out"
    trained = cobre.train(case, config=quick(2, 2))
    settings = {"exports": {"hive": hive}}
    simulated = cobre.simulate(
        case, trained, scenarios=5, num_workers=workers, config=settings, output=output
    )
    expected = ours(output)
    assert set(expected) == set(simulated.tables)
    assert len(expected["hydros"]) > 30
    for table, columns in expected.items():
        for found in (by_duckdb(output, table, hive), by_pyarrow(output, table)):
            assert {name: found[name] for name in columns} == columns, table
        ids = simulated.table(table)["scenario_id"].to_pylist()
        assert ids == sorted(ids) and set(ids) == {0, 1, 2, 3, 4}
    # One scenario can be read without the others: its row group says which it holds.
    if not hive:
        path = next((output / "simulation" / "costs").iterdir())
        group = parquet.ParquetFile(path).metadata.row_group(0)
        assert group.column(0).path_in_schema == "scenario_id"
        assert group.column(0).statistics.max in {1, 4}
