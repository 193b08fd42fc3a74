"""Groups that mix languages pass the conformance table, and give the hash of pure TypeScript groups."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scope import rest

from .groups import (
    NODE_TESTS,
    SEGMENT_PREFIX,
    node,
    node_command,
    our_segments,
    python_command,
    started,
)

LAST_CASE = "the first of several mistakes is told: closed, then every argument"

MIXES = ["PT", *map(rest, ["PPP", "TTPP", "TP", "P"])]


def reference_hash(ranks: int) -> str:
    """What the TypeScript reference works out without any communicator."""
    program = (
        f"import {{ referenceRandomMix }} from '{NODE_TESTS}/conformance/random-mix.js';"
        f"import {{ MIX_SEED, MIX_COUNT }} from '{NODE_TESTS}/conformance/report.js';"
        f"console.log(referenceRandomMix({ranks}, MIX_SEED, MIX_COUNT));"
    )
    command = [node(), "--input-type=module", "-e", program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def command_of(language: str, directory: Path) -> list[str]:
    if language == "P":
        return python_command("conformance_rank.py", str(directory))
    return node_command("conformance/rank.js", str(directory))


def run_table(backend: str, mix: str, directory: Path, **variables: str) -> None:
    commands = [command_of(language, directory) for language in mix]
    with started(backend, commands, 60, **variables) as group:
        codes = group.wait()
        for rank, lines in enumerate(group.said):
            errors = [line for line in lines if "error" in line]
            assert errors == [], f"rank {rank}: {errors[0]['case']}\n{errors[0]['error']}"
            joined = {"rank": rank, "size": len(mix), "backend": backend}
            assert lines[0].get("joined") == joined, group.story()
        assert codes == [0] * len(mix), group.story()
        hashes = [line["hash"] for lines in group.said for line in lines if "hash" in line]
        assert hashes == [reference_hash(len(mix))] * len(mix)
        # Ranks of one language go through the same cases, up to the last.
        for language in set(mix):
            seen = [
                [line["case"] for line in lines if "case" in line]
                for lines, other in zip(group.said, mix, strict=True)
                if other == language
            ]
            assert all(cases == seen[0] for cases in seen)
            assert seen[0][-1] == LAST_CASE
    assert our_segments() == [], SEGMENT_PREFIX


@pytest.mark.parametrize("mix", MIXES)
@pytest.mark.parametrize("backend", ["shm", rest("tcp")])
def test_table_and_random_mix(backend: str, mix: str, tmp_path: Path) -> None:
    run_table(backend, mix, tmp_path)


@pytest.mark.rest
def test_steps_that_wrap_without_reading_memory(tmp_path: Path) -> None:
    first = str(2**31 - 5_000)
    run_table("shm", "PTP", tmp_path, COBRE_SHM_FIRST_STEP=first, COBRE_SHM_DIRECT="0")


@pytest.mark.rest
def test_typescript_workers_that_offer_links(tmp_path: Path) -> None:
    # Rank 1 has no port to offer in any language: here the ranks find out only after the roster.
    run_table("tcp", "TPTT", tmp_path)
