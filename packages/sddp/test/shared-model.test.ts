/** The ranks of a machine have one copy of the case data and of the opening tree: what the leader writes there, the others read. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { isBackendError } from "@cobre/comm";
import { launch } from "@cobre/comm/launch";

const RANK = fileURLToPath(new URL("shared-model-rank.js", import.meta.url));
const RANKS = 2;

interface Printed {
  readonly isLeader: boolean;
  readonly same: Readonly<Record<string, boolean>>;
}

async function play(backend: "shm" | "mpi"): Promise<readonly Printed[]> {
  await using job = await launch({
    ranks: RANKS,
    backend,
    command: [process.execPath, RANK, "four-regions"],
    output: "capture",
  });
  const { code, ranks } = await job.done;
  assert.equal(code, 0, ranks.map(({ stderr }) => stderr).join("\n"));
  return ranks.map(({ stdout }) => JSON.parse(stdout));
}

describe("the model of the ranks of one machine", () => {
  for (const backend of ["shm", "mpi"] as const) {
    it(`is one copy on ${backend}`, async (t) => {
      const printed = await play(backend).catch((error) => {
        if (backend !== "mpi" || !isBackendError(error)) throw error;
        t.skip(`needs an MPI: ${error.message}`);
        return undefined;
      });
      if (printed === undefined) return;
      assert.equal(printed.filter(({ isLeader }) => isLeader).length, 1);
      for (const { same } of printed) {
        assert.ok(Object.keys(same).length > 10, JSON.stringify(same));
        const own = Object.keys(same).filter((name) => !same[name]);
        assert.deepEqual(own, [], "these arrays are private copies");
      }
    });
  }
});
