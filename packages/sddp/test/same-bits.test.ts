import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";
import { referenceCases } from "./cases.js";

const RANK = fileURLToPath(new URL("rank.js", import.meta.url));

/** case:forward passes:iterations */
const RUNS = [
  "four-regions:1:2",
  "four-regions:5:1",
  "four-regions:7:1",
  ...(referenceCases === undefined
    ? ["one-reservoir:1:5", "one-reservoir:5:4", "one-reservoir:7:3"]
    : ["1dtoy:1:12", "1dtoy:5:6", "1dtoy:7:5", "d16-par1-lag-shift:1:6"]),
  ...(referenceCases === undefined ? [] : ["d16-par1-lag-shift:5:3", "d16-par1-lag-shift:7:3"]),
];

const GROUPS = [
  { backend: "shm", ranks: 1 },
  { backend: "shm", ranks: 2 },
  { backend: "shm", ranks: 3 },
  { backend: "shm", ranks: 4 },
  { backend: "tcp", ranks: 2 },
  { backend: "tcp", ranks: 3 },
] as const;

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
