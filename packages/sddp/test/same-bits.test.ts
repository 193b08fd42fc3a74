import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";
import { referenceCases } from "./cases.js";

const RANK = fileURLToPath(new URL("rank.js", import.meta.url));

/** COBRE_TEST_LONG=1 runs the whole table with many iterations, which takes some minutes. */
const isLong = process.env.COBRE_TEST_LONG === "1";

/** How many iterations each case has with 1, 5 and 7 forward passes. */
const CASES: Readonly<Record<string, readonly [number, number, number]>> = {
  "four-regions": [2, 1, 1],
  ...(referenceCases === undefined
    ? { "one-reservoir": [5, 4, 3] }
    : { "1dtoy": [12, 6, 5], "d16-par1-lag-shift": [6, 3, 3] }),
};

/** case:forward passes:iterations */
const RUNS = Object.entries(CASES).flatMap(([name, iterations]) =>
  [1, 5, 7].map((passes, i) => `${name}:${passes}:${(isLong ? 10 : 1) * iterations[i]}`),
);

const GROUPS = (["shm", "tcp"] as const).flatMap((backend) =>
  (isLong ? [1, 2, 3, 4] : backend === "shm" ? [1, 2, 3, 4] : [2, 3]).map((ranks) => ({
    backend,
    ranks,
  })),
);

async function hashesOf(backend: "local" | "shm" | "tcp", ranks: number): Promise<string[]> {
  await using job = await launch({
    ranks,
    backend,
    command: [process.execPath, RANK, ...RUNS],
    output: "capture",
  });
  const { code, ranks: ended } = await job.done;
  assert.equal(code, 0, ended.map(({ stderr }) => stderr).join("\n"));
  return (ended[0]?.stdout ?? "").trim().split("\n");
}

describe("the same bits of convergence, cuts, policy and simulation", async () => {
  let alone: string[] = [];

  it("local gives a hash for every run, and no two are equal", async () => {
    alone = await hashesOf("local", 1);
    assert.equal(alone.length, RUNS.length);
    assert.equal(new Set(alone.map((line) => JSON.parse(line).hashes.cuts)).size, RUNS.length);
  });

  for (const { backend, ranks } of GROUPS) {
    it(`${backend} with ${ranks} ${ranks === 1 ? "rank" : "ranks"}`, async () => {
      assert.deepEqual(await hashesOf(backend, ranks), alone);
    });
  }
});
