/** Where memory goes: one copy of a region, nothing behind a small /dev/shm, nothing left. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";

const program = (name: string) => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

/** Others may run tests at the same time: what is ours has this in its name. */
const PREFIX = `cobre-memory-${process.pid}-`;

const REGION_BYTES = 64 * 1024 * 1024;
const RANKS = 4;

async function totalMiB(kind: "shared" | "heap"): Promise<number> {
  const job = await launch({
    ranks: RANKS,
    backend: "shm",
    command: [process.execPath, program("memory-rank"), kind, String(REGION_BYTES)],
    env: { COBRE_SHM_NAME: `/${PREFIX}${kind}` },
    output: "capture",
    timeoutSecs: 120,
  });
  const { code, ranks } = await job.done;
  assert.equal(code, 0, ranks.map((rank) => rank.stderr).join("\n"));
  const uses = ranks.map((rank) => JSON.parse(rank.stdout) as { proportionalKiB: number });
  return uses.reduce((sum, { proportionalKiB }) => sum + proportionalKiB, 0) / 1024;
}

/**
 * What a program prints where /dev/shm has `size`, in a mount namespace of its own; `undefined` where that is not allowed, which is a failure
 * under CI.
 */
function runInSmallMemory(
  t: TestContext,
  size: string,
  variables: string,
  name: string,
): string | undefined {
  const script = [
    `mount -t tmpfs -o size=${size} tmpfs /dev/shm`,
    `${variables} exec "${process.execPath}" "${program(name)}"`,
  ].join(" && ");
  const namespaces = [
    "--mount",
    ...(process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]),
  ];
  const command = [...namespaces, "sh", "-c", script];
  const { status, stdout, stderr } = spawnSync("unshare", command, { encoding: "utf8" });
  if (status !== 0 && /unshare|mount/.test(stderr)) {
    if (process.env.CI === "true") assert.fail(stderr);
    t.diagnostic(`not run: ${stderr.trim()}`);
    return undefined;
  }
  assert.equal(status, 0, stderr);
  return stdout;
}

describe("shm: memory", () => {
  it("four ranks with a 64 MiB region have one copy of it together; heap regions are four", async (t) => {
    const shared = await totalMiB("shared");
    const heap = await totalMiB("heap");
    t.diagnostic(
      `64 MiB on ${RANKS} ranks: shared ${shared.toFixed(1)} MiB in all, heap ${heap.toFixed(1)} MiB`,
    );
    assert.ok(shared > 60 && shared < 100, `shared: ${shared} MiB`);
    assert.ok(heap > 240, `heap: ${heap} MiB`);
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
    it(`a ${where} of 1 MB gives AllocationFailed with the figures, never a fault`, (t) => {
      const stdout = runInSmallMemory(t, "1m", variables, "small-shm");
      if (stdout === undefined) return;
      const { segment, region, stillWorks } = JSON.parse(stdout) as {
        segment: Record<string, unknown>;
        region: Record<string, unknown>;
        stillWorks: boolean;
      };
      for (const error of [segment, region]) {
        assert.equal(error.kind, "AllocationFailed");
        assert.match(String(error.message), advice);
        assert.ok(
          Number(error.requestedBytes) > Number(error.availableBytes),
          JSON.stringify(error),
        );
      }
      assert.equal(stillWorks, true);
    });

  it("very long pieces are gathered also where there is no room for long parts", (t) => {
    // Enough for the segment, and not for two parts of 4 MiB from each rank.
    runInSmallMemory(t, "6m", "", "long-pieces");
    assert.equal(spawnSync(process.execPath, [program("long-pieces")]).status, 0);
  });

  it("leaves nothing in /dev/shm", () => {
    assert.deepEqual(
      readdirSync("/dev/shm").filter((name) => name.startsWith(PREFIX)),
      [],
    );
  });
});
