import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "@cobre/comm/launch";

const RANK = fileURLToPath(new URL("solver-rank.js", import.meta.url));

/** What ranks with these versions of a solver print. */
async function printed(...versions: readonly string[]): Promise<readonly unknown[]> {
  await using job = await launch({
    ranks: versions.length,
    backend: "shm",
    command: [process.execPath, RANK, ...versions],
    output: "capture",
  });
  const { code, ranks } = await job.done;
  assert.equal(code, 0, ranks.map(({ stderr }) => stderr).join("\n"));
  return ranks.map(({ stdout }) => JSON.parse(stdout ?? ""));
}

describe("ranks that train together", () => {
  it("all end at the start if their solvers differ, and say which rank has which", async () => {
    const told = await printed("1.15.1", "1.13.0", "1.15.1");
    for (const error of told) assert.deepEqual(error, told[0]);
    const { kind, message } = told[0] as { kind: string; message: string };
    assert.equal(kind, "SolversDiffer");
    const [, ...lines] = message.split("\n");
    assert.deepEqual(lines.slice(0, 2), [
      "  ranks 0, 2: highs 1.15.1 wasm",
      "  rank 1: highs 1.13.0 wasm",
    ]);
    assert.match(lines[2] ?? "", /^Install the same library on every machine/);
  });

  it("train if their solvers are the same", async () => {
    const [first, second] = await printed("1.15.1", "1.15.1");
    assert.ok((first as { lowerBound: number }).lowerBound > 0, JSON.stringify(first));
    assert.deepEqual(second, first);
  });
});
