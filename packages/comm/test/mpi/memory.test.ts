/** One copy of a region for all ranks of a machine, in bytes. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";
import { inScope } from "@cobre/testing/scope";
import { isMpiInstalled, type MpiName, mpiVariables } from "../mpi-installed.js";

const PROGRAM = fileURLToPath(new URL("../shm/memory-rank.js", import.meta.url));
/** Far more than V8's own memory comes and goes by. */
const REGION_MIB = 128;
const RANKS = 3;

async function totalMiB(mpi: MpiName, kind: "shared" | "heap"): Promise<number> {
  const job = await launch({
    ranks: RANKS,
    backend: "mpi",
    command: [process.execPath, PROGRAM, kind, String(REGION_MIB * 2 ** 20)],
    env: mpiVariables(mpi),
    output: "capture",
    timeoutSecs: 120,
  });
  const { code, ranks } = await job.done;
  assert.equal(code, 0, ranks.map((rank) => rank.stderr).join("\n"));
  const uses = ranks.map((rank) => JSON.parse(rank.stdout) as { proportionalKiB: number });
  return uses.reduce((sum, { proportionalKiB }) => sum + proportionalKiB, 0) / 1024;
}

for (const mpi of inScope({ quick: ["openmpi"], rest: ["mpich"] } as const)) {
  it(`${mpi}: three ranks with a large region have one copy of it together; heap regions are three`, async (t) => {
    if (!isMpiInstalled(t, mpi)) return;
    const shared = await totalMiB(mpi, "shared");
    const heap = await totalMiB(mpi, "heap");
    t.diagnostic(`shared ${shared.toFixed(1)} MiB in all, heap ${heap.toFixed(1)} MiB`);
    assert.ok(shared > 0.75 * REGION_MIB && shared < 1.5 * REGION_MIB, `shared: ${shared} MiB`);
    assert.ok(heap > (RANKS - 0.5) * REGION_MIB, `heap: ${heap} MiB`);
  });
}
