/** Training that leaves cuts out of its programs converges to the value of the whole tree as well. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { loadSolver } from "@cobre/solver";
import { inScope } from "@cobre/testing/scope";
import { checkSystem } from "./check.js";
import { generateSystem } from "./generate.js";
import { numbersOf } from "./report.js";

const solver = await loadSolver("highs");

/** Few rows from the beginning, so that most cuts have to be taken in. */
const DYNAMIC = { enabled: true, method: "dynamic", seed_window: 1, max_added_per_round: 2 };
const SEEDS = 10;

describe("training with cuts on demand beside the whole tree as one program", () => {
  for (const first of inScope({ quick: [1], rest: [11, 21, 31, 41, 1001, 1011, 1021] })) {
    it(`seeds ${first} to ${first + SEEDS - 1}`, async () => {
      for (let seed = first; seed < first + SEEDS; seed++) {
        const scratch = mkdtempSync(join(tmpdir(), "cobre-oracle-"));
        try {
          const verdict = await checkSystem(generateSystem(seed), scratch, solver, DYNAMIC);
          assert.ok(
            verdict.failure === undefined,
            `seed ${seed}: ${verdict.failure}\n${numbersOf(verdict)}`,
          );
        } finally {
          rmSync(scratch, { recursive: true, force: true });
        }
      }
    });
  }
});
