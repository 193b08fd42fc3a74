/** What a group tells about itself: its paths, its statistics, its decisions. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import {
  type CallStatistics,
  type CommDescription,
  type CommStatistics,
  LocalCommunicator,
} from "@cobre/comm";
import { type LaunchBackend, launch } from "@cobre/comm/launch";

const PROGRAM = fileURLToPath(new URL("./rank.js", import.meta.url));
const MEASURED = { COBRE_COMM_STATISTICS: "1" };

interface Told {
  readonly description: CommDescription;
  readonly statistics?: CommStatistics;
  readonly stderr: string;
}

async function run(
  backend: LaunchBackend,
  ranks: number,
  env: Readonly<Record<string, string>>,
): Promise<Told[]> {
  const command = [process.execPath, PROGRAM];
  const job = await launch({ ranks, backend, command, env, output: "capture", timeoutSecs: 60 });
  const { code, ranks: ended } = await job.done;
  assert.equal(code, 0, ended.map(({ stderr }) => stderr).join("\n"));
  return ended.map(({ stdout, stderr }) => ({ ...JSON.parse(stdout ?? ""), stderr: stderr ?? "" }));
}

/** What does not depend on the machine's speed. */
function countsOf({ calls, bytes }: CallStatistics): object {
  return { calls, bytes };
}

describe("what a group tells about itself", { timeout: 300_000 }, () => {
  for (const backend of ["shm", "tcp"] as const) {
    it(`${backend}: who it is, what was called, and how long it took`, async () => {
      const told = await run(backend, 3, MEASURED);
      for (const [rank, { description, statistics }] of told.entries()) {
        assert.equal(description.backend, backend);
        assert.equal(description.rank, rank);
        assert.deepEqual(description.machines, [[0, 1, 2]]);
        assert.ok(statistics !== undefined);
        assert.deepEqual(countsOf(statistics.allreduce), { calls: 5, bytes: 40 });
        assert.deepEqual(countsOf(statistics.broadcast), { calls: 1, bytes: 100 });
        assert.deepEqual(countsOf(statistics.allgatherv), { calls: 1, bytes: 12 });
        assert.deepEqual(countsOf(statistics.barrier), { calls: 1, bytes: 0 });
        const fences = backend === "shm" ? 2 : 0; // over tcp, a fence waits for no one
        assert.deepEqual(countsOf(statistics.fence), { calls: fences, bytes: 0 });
        for (const { ms, waitingMs } of Object.values(statistics)) {
          assert.ok(
            waitingMs !== null && waitingMs >= 0 && waitingMs <= ms,
            `${waitingMs} of ${ms}`,
          );
        }
      }
    });

    it(`${backend}: nothing is measured and nothing is said unless it is asked for`, async () => {
      const [first] = await run(backend, 2, {});
      assert.equal(first?.statistics, undefined);
      assert.equal(first?.stderr, "");
    });
  }

  it("a rank that may not read the others' memory says why, and the others that one cannot", async () => {
    const told = await run("shm", 2, { COBRE_COMM_DEBUG: "1", COBRE_SHM_DIRECT: "0" });
    assert.equal(told[0]?.description.paths["long messages"], "through shared memory");
    for (const [rank, { stderr }] of told.entries()) {
      assert.match(stderr, /cobre comm: shm was chosen: COBRE_COMM_BACKEND=shm/);
      assert.match(stderr, new RegExp(`\\[rank ${rank}\\]: cannot read .*: COBRE_SHM_DIRECT=0`));
    }
  });

  it("rank 0 of tcp says why there are no links, and all ranks which way data goes", async () => {
    const told = await run("tcp", 3, { COBRE_COMM_DEBUG: "1", COBRE_TCP_LINKS: "0" });
    for (const { description } of told) {
      assert.equal(description.paths.connections, "to rank 0 only");
      assert.equal(description.paths["data travels by"], "TCP");
    }
    assert.match(told[0]?.stderr ?? "", /no links between workers: they are switched off/);
    assert.match(told[1]?.stderr ?? "", /no links between workers: rank 0 decided against them/);
  });

  it("one process: alone on its machine", () => {
    using comm = new LocalCommunicator();
    const alone = { backend: "local", rank: 0, size: 1, machines: [[0]], paths: {} };
    assert.deepEqual(comm.describe(), alone);
    assert.equal(comm.statistics(), undefined);
  });
});
