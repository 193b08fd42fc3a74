/** What happens when a rank of an MPI job misbehaves: the job ends, soon, and somebody says why. */
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { inScope, runsQuick, runsRest, type Split } from "@cobre/testing/scope";
import { failureOf, startGroup } from "../faults/group.js";
import { MISMATCHES } from "../faults/mismatches.js";
import type { Scenario } from "../faults/scenario.js";
import { mpiFolders } from "../launch/mpi-folders.js";
import { isMpiInstalled, MPIS, type MpiName, mpiVariables } from "../mpi-installed.js";
import { lastingMpiLeftovers, mpiLeftovers } from "./leftovers.js";
import { play } from "./run-scene.js";

const RANKS = 3;

/** The time limit of collectives is of no account here; the launcher's is, and no test comes near it. */
const PATIENT_SECS = 60;

const before = new Set(mpiLeftovers());

/** Calls are compared by the same code whichever MPI carries them, and shm and tcp go through all of these. */
const MISMATCHES_OVER: Readonly<Record<MpiName, Split<readonly string[]>>> = {
  openmpi: split(["operation", "short and long", "root", "counts", "number of calls"]),
  mpich: split(["long broadcast length", "size of a region"]),
};

function split(quick: readonly string[]): Split<readonly string[]> {
  return { quick, rest: Object.keys(MISMATCHES).filter((name) => !quick.includes(name)) };
}

for (const mpi of MPIS) {
  const mismatches = inScope(MISMATCHES_OVER[mpi]);
  const hasEndings = mpi === "openmpi" ? runsQuick : runsRest;
  if (!hasEndings && mismatches.length === 0) continue;

  describe(`faults: mpi, ${mpi}`, { timeout: 600_000 }, () => {
    const start = (scenario: Scenario) =>
      startGroup("mpi", RANKS, scenario, PATIENT_SECS, {
        ...mpiVariables(mpi),
        COBRE_COMM_CHECK: "1",
      });

    after(async () => {
      assert.deepEqual([...mpiFolders(), ...(await lastingMpiLeftovers(before))], []);
    });

    for (const name of mismatches) {
      it(`mismatch of ${name}: every rank fails, is told both calls, and stays broken`, async (t) => {
        if (!isMpiInstalled(t, mpi)) return;
        await using group = await start({ kind: "mismatch", name });
        for (const outcome of await group.outcomes()) {
          const { error, next } = failureOf(outcome);
          assert.equal(error.kind, "CollectiveFailed");
          assert.match(String(error.message), /rank \d .*call.* rank \d/);
          assert.equal(error.mpiErrorCode, 0);
          assert.equal(next, "InvalidCommunicator broken");
          assert.equal(outcome.exit.code, 0, "a mismatch that was handled is no reason to abort");
        }
      });
    }

    if (!hasEndings) return;

    for (const how of ["close", "finish"] as const) {
      it(`a rank that ends by ${how} while others wait is named by them`, async (t) => {
        if (!isMpiInstalled(t, mpi)) return;
        await using group = await start({ kind: "ending", how });
        const outcomes = await group.outcomes();
        for (const outcome of outcomes.slice(0, -1)) {
          const { error } = failureOf(outcome);
          assert.equal(error.kind, "CollectiveFailed");
          assert.deepEqual(error.missingRanks, [RANKS - 1]);
          assert.match(String(error.message), /rank 2 has closed the communicator/);
        }
      });
    }

    for (const [how, code, story] of [
      ["throw", 1, /TypeError: a mistake in the program[\s\S]*rank 2 ends the MPI job: uncaught/],
      ["reject", 1, /TypeError: a mistake in the program[\s\S]*rank 2 ends the MPI job: uncaught/],
      ["exit", 3, /rank 2 ends the MPI job: it exited with code 3/],
    ] as const) {
      it(`a rank that ends by ${how} ends the job, with the reason and its code`, async (t) => {
        if (!isMpiInstalled(t, mpi)) return;
        await using group = await start({ kind: "ending", how });
        const outcomes = await group.outcomes();
        const last = outcomes.at(-1);
        assert.equal(last?.exit.code, code, last?.exit.stderr);
        assert.match(last?.exit.stderr ?? "", story);
        for (const { said, exit } of outcomes.slice(0, -1)) {
          assert.deepEqual(said, [], "nobody came back from the barrier");
          assert.notEqual(exit.code, 0);
        }
        assert.equal((await group.job.done).timedOut, false);
      });
    }

    it("a rank that is killed ends the job", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      await using group = await start({ kind: "loop", operation: "allreduce", bytes: 1024 });
      await group.running;
      group.job.ranks[1]?.kill("SIGKILL");
      const { ranks, timedOut } = await group.job.done;
      assert.equal(timedOut, false);
      assert.equal(ranks[1]?.signal, "SIGKILL");
      for (const { code } of ranks) assert.notEqual(code, 0);
    });

    it("an error of the library has its class and its words, and breaks the communicator", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const { lines, result, story } = await play(mpi, "bad root", 2);
      for (const line of lines.map(([first]) => first)) {
        const { error, next } = line as Record<string, Record<string, unknown>>;
        assert.equal(error?.kind, "CollectiveFailed", story);
        // MPI_ERR_ROOT
        assert.equal(error?.mpiErrorCode, mpi === "openmpi" ? 8 : 7);
        assert.match(String(error?.message), /MPI_Bcast failed with error class \d: .*root/i);
        assert.deepEqual([next?.kind, next?.state], ["InvalidCommunicator", "broken"]);
      }
      assert.notEqual(result.code, 0, "after an error of the library the job is aborted");
    });

    it("after MPI_Finalize every call says that the communicator was closed", async (t) => {
      if (!isMpiInstalled(t, mpi)) return;
      const { lines, result, story } = await play(mpi, "after finalize", 2);
      assert.equal(result.code, 0, story);
      for (const [line] of lines) {
        const { error } = line as Record<string, Record<string, unknown>>;
        assert.deepEqual([error?.kind, error?.state], ["InvalidCommunicator", "closed"]);
      }
    });
  });
}
