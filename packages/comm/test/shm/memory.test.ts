/** Where memory goes: one copy of a region, nothing behind a small /dev/shm, nothing left. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";
import { canMount } from "@cobre/testing/needs";

const program = (name: string) => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

/** Others may run tests at the same time: what is ours has this in its name. */
const PREFIX = `cobre-memory-${process.pid}-`;

/** An error as JSON. */
interface Failure {
  readonly kind: string;
  readonly message: string;
  readonly missingRanks?: readonly number[];
}

/** Far more than V8's own memory comes and goes by. */
const REGION_MIB = 128;
const RANKS = 4;

async function totalMiB(kind: "shared" | "heap"): Promise<number> {
  const job = await launch({
    ranks: RANKS,
    backend: "shm",
    command: [process.execPath, program("memory-rank"), kind, String(REGION_MIB * 2 ** 20)],
    env: { COBRE_SHM_NAME: `/${PREFIX}${kind}` },
    output: "capture",
    timeoutSecs: 120,
  });
  const { code, ranks } = await job.done;
  assert.equal(code, 0, ranks.map((rank) => rank.stderr).join("\n"));
  const uses = ranks.map((rank) => JSON.parse(rank.stdout) as { proportionalKiB: number });
  return uses.reduce((sum, { proportionalKiB }) => sum + proportionalKiB, 0) / 1024;
}

/** What a program prints where /dev/shm has `size`, in a mount namespace of its own. */
function runInSmallMemory(size: string, variables: string, name: string, argument = ""): string {
  const script = [
    `mount -t tmpfs -o size=${size} tmpfs /dev/shm`,
    `${variables} exec "${process.execPath}" "${program(name)}" ${argument}`,
  ].join(" && ");
  const command = ["--map-root-user", "--mount", "sh", "-c", script];
  const { status, stdout, stderr } = spawnSync("unshare", command, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout;
}

describe("shm: memory", () => {
  it("four ranks with a large region have one copy of it together; heap regions are four", async (t) => {
    const shared = await totalMiB("shared");
    const heap = await totalMiB("heap");
    t.diagnostic(
      `${REGION_MIB} MiB on ${RANKS} ranks: shared ${shared.toFixed(1)} MiB in all, heap ${heap.toFixed(1)} MiB`,
    );
    assert.ok(shared > 0.75 * REGION_MIB && shared < 1.5 * REGION_MIB, `shared: ${shared} MiB`);
    assert.ok(heap > (RANKS - 0.5) * REGION_MIB, `heap: ${heap} MiB`);
  });

  it("nothing of a running job has a name", async () => {
    const job = await launch({
      ranks: 2,
      backend: "shm",
      command: [process.execPath, program("named-rank")],
      env: { COBRE_SHM_NAME: `/${PREFIX}named` },
      output: "capture",
      timeoutSecs: 60,
    });
    const { code, ranks } = await job.done;
    assert.equal(code, 0, ranks.map((rank) => rank.stdout + rank.stderr).join("\n"));
  });

  for (const [where, variables, advice] of [
    ["/dev/shm", "", /--shm-size/],
    ["TMPDIR", "COBRE_SHM_SYSTEM=portable TMPDIR=/dev/shm", /TMPDIR/],
  ] as const)
    it(`a ${where} of 1 MB is told with the figures, never by a fault`, (t) => {
      if (!canMount(t)) return;
      const stdout = runInSmallMemory("1m", variables, "small-shm");
      const { segment, region, stillWorks } = JSON.parse(stdout) as {
        segment: Record<string, unknown>;
        region: Record<string, unknown>;
        stillWorks: boolean;
      };
      // What fails at the start is a failure of the backend; later it is one of a call.
      assert.equal(segment.kind, "InitializationFailed");
      assert.equal(segment.backend, "shm");
      assert.match(String(segment.message), /\d+ bytes/);
      assert.equal(region.kind, "AllocationFailed");
      assert.ok(Number(region.requestedBytes) > Number(region.availableBytes));
      for (const error of [segment, region]) assert.match(String(error.message), advice);
      assert.equal(stillWorks, true);
    });

  it("a rank without room for its parts is named by all, at once", (t) => {
    if (!canMount(t)) return;
    // Enough for the parts of rank 0, and not for those of rank 1.
    const failures = JSON.parse(runInSmallMemory("1500k", "", "short-shm", "join")) as Failure[];
    assert.equal(failures.length, 2);
    for (const { kind, message } of failures) {
      assert.equal(kind, "InitializationFailed");
      assert.match(message, /--shm-size/);
    }
    assert.deepEqual(failures[0]?.missingRanks, [1]);
  });

  it("a region that one rank has no room for is refused on all; a smaller one is not", (t) => {
    if (!canMount(t)) return;
    const ranks = JSON.parse(runInSmallMemory("6m", "", "short-shm")) as {
      failure: Failure;
      stillWorks: boolean;
    }[];
    assert.equal(ranks.length, 2);
    for (const { failure, stillWorks } of ranks) {
      assert.equal(failure.kind, "AllocationFailed");
      assert.match(failure.message, /--shm-size/);
      assert.equal(stillWorks, true);
    }
  });

  it("very long pieces are gathered also where there is no room for long parts", (t) => {
    if (!canMount(t)) return;
    // Enough for the segment, and not for two parts of 4 MiB from each rank.
    runInSmallMemory("6m", "", "long-pieces");
  });

  it("very long pieces are gathered where there is room", () => {
    assert.equal(spawnSync(process.execPath, [program("long-pieces")]).status, 0);
  });

  it("leaves nothing in /dev/shm", () => {
    assert.deepEqual(
      readdirSync("/dev/shm").filter((name) => name.startsWith(PREFIX)),
      [],
    );
  });
});
