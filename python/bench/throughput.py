"""Measures training from Python on the four-region example: throughput of two workers, and what Python adds.

    PYTHONPATH=python/src python python/bench/throughput.py [iterations] [rounds]

Throughput: two workers against two trainings at the same time that know nothing of each other. Each of those does
all of the work; half of it would have taken half of the time. Iterations are compared one by one, without the first
ones, in which the engine compiles; the median tells. Overhead: `cobre.train` against `cobre run` with the
same settings, from start to end.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import cobre
from cobre.engine import find_engine
from cobre.node import find_node

CASE = Path(__file__).resolve().parents[2] / "examples" / "cases" / "four-regions"
WARM_UP = 10
LEAST_EFFICIENCY = 0.85
MOST_OVERHEAD_SECONDS = 1.0


def settings(iterations: int) -> dict[str, Any]:
    """A training of so many iterations, and nothing else."""
    rules = [{"type": "iteration_limit", "limit": iterations}]
    return {"training": {"stopping_rules": rules}, "simulation": {"enabled": False}}


def iteration_seconds(num_workers: int, iterations: int) -> np.ndarray:
    """What each iteration took, without the first ones."""
    with cobre.train(CASE, num_workers=num_workers, config=settings(iterations)) as result:
        return np.asarray(result.convergence["time_total_ms"], dtype=float)[WARM_UP:] / 1000


def measure_efficiency(iterations: int) -> float:
    """The throughput of two workers, as a share of that of two independent halves."""
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda _: iteration_seconds(1, iterations), range(2))
    together = iteration_seconds(2, iterations)
    print(
        f"  two apart {one.sum():.2f} s and {other.sum():.2f} s, two workers {together.sum():.2f} s",
        end="",
    )
    return float(np.median((one + other) / 4 / together))


def measure_overhead(iterations: int) -> float:
    """Seconds that `cobre.train` takes longer than `cobre run`."""
    started = time.perf_counter()
    cobre.train(CASE, num_workers=2, config=settings(iterations)).close()
    by_python = time.perf_counter() - started
    with tempfile.TemporaryDirectory(prefix="cobre-bench-") as folder:
        file = Path(folder) / "settings.json"
        file.write_text(json.dumps(settings(iterations)))
        command = [find_node(), find_engine(), "run", str(CASE), "-n", "2"]
        started = time.perf_counter()
        subprocess.run(
            [*command, "--config", str(file), "--output", str(Path(folder) / "out")],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        by_command = time.perf_counter() - started
    print(f"  cobre.train {by_python:.2f} s, cobre run {by_command:.2f} s")
    return by_python - by_command


def main() -> int:
    """Measures, and tells whether it is as good as promised."""
    iterations, rounds = (*map(int, sys.argv[1:]), *(40, 9)[len(sys.argv) - 1 :])
    print(f"throughput, four regions, {iterations} iterations")
    efficiencies = []
    for _ in range(rounds):
        efficiencies.append(measure_efficiency(iterations))
        print(f": {100 * efficiencies[-1]:.1f} %")
    efficiency = statistics.median(efficiencies)
    print(
        f"  median {100 * efficiency:.1f} % (at least {100 * LEAST_EFFICIENCY:.0f} % is promised)"
    )
    print("overhead, two workers, 3 iterations")
    overhead = statistics.median(measure_overhead(3) for _ in range(rounds))
    print(f"  median {overhead:.2f} s (less than {MOST_OVERHEAD_SECONDS:.0f} s is promised)")
    return 0 if efficiency >= LEAST_EFFICIENCY and overhead < MOST_OVERHEAD_SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())
