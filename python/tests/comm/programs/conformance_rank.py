"""A rank of a conformance run: goes through the table and reports one line of JSON per case."""

from __future__ import annotations

import json
import sys
import traceback
from pathlib import Path
from typing import Any

from case import Case
from random_mix import MIX_COUNT, MIX_SEED, run_random_mix
from table import LAST, TABLE

from cobre.comm import Communicator, connect


def report(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


def run_cases(comm: Communicator, cases: list[Case], directory: Path) -> bool:
    for name, run in cases:
        try:
            run(comm, directory)
            report({"case": name})
        except Exception:
            report({"case": name, "error": traceback.format_exc()})
            return False
    return True


def main() -> int:
    directory = Path(sys.argv[1])
    with connect() as comm:
        report({"joined": {"rank": comm.rank, "size": comm.size, "backend": comm.backend}})
        if not run_cases(comm, TABLE, directory):
            return 1
        report({"hash": run_random_mix(comm, MIX_SEED, MIX_COUNT)})
        return 0 if run_cases(comm, LAST, directory) else 1


if __name__ == "__main__":
    sys.exit(main())
