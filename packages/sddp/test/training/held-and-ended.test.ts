/** Training that waits between its iterations, what it leaves where it fails, and what it says of its end. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, mock } from "node:test";
import type { StoppingRule } from "@cobre/io";
import { hashPolicy, type Policy } from "@cobre/sddp";
import { type LpSolver, loadSolver } from "@cobre/solver";
import { caseNamed, changed } from "../cases.js";
import { clockOfTests, trainAndListen, tutorial } from "./told-events.js";

describe("training that is held", () => {
  clockOfTests();

  it("can be looked at after each iteration, and the time of that is not its own", async () => {
    const alone = await trainAndListen(await tutorial(3));
    const seen: Policy[] = [];
    const held: number[] = [];
    const { policy, elapsedMs, events } = await trainAndListen(await tutorial(3), {
      hold: (iteration, policyOf) => {
        held.push(iteration);
        seen.push(policyOf());
        if (iteration === 2) return undefined;
        return Promise.resolve().then(() => {
          const now = performance.now() + 3_600_000;
          let more = 0;
          mock.method(performance, "now", () => now + more++);
        });
      },
    });
    assert.deepEqual(held, [1, 2, 3]);
    assert.deepEqual(
      seen.map(({ iteration, history }) => [iteration, history.length]),
      [
        [1, 1],
        [2, 2],
        [3, 3],
      ],
    );
    assert.deepEqual(hashPolicy(policy), hashPolicy(alone.policy));
    assert.ok(elapsedMs > 0 && elapsedMs < alone.elapsedMs + 20, `${elapsedMs}`);
    const last = events.of("iteration_done").at(-1)?.elapsedMs ?? Number.NaN;
    assert.ok(last > 0 && last < elapsedMs, `${last}`);
  });

  it("is interrupted at once if that is asked for meanwhile", async () => {
    let isAsked = false;
    const { termination, hasConverged, policy } = await trainAndListen(await tutorial(5), {
      hold: async () => {
        isAsked = true;
      },
      isInterrupted: () => isAsked,
    });
    assert.deepEqual([termination, hasConverged, policy.iteration], ["interrupted", false, 1]);
  });
});

describe("training that selects cuts", () => {
  clockOfTests();

  it("says how long that took", async () => {
    const source = changed(await caseNamed("sddp-tutorial"), { iterations: 4, selection: "lml1" });
    const { events } = await trainAndListen(source);
    const selected = events.of("cuts_selected");
    assert.deepEqual(
      selected.map(({ iteration }) => iteration),
      [2, 4],
    );
    for (const { ms } of selected) assert.ok(ms > 0 && ms < 100, `${ms}`);
  });
});

describe("training whose program cannot be solved", () => {
  it("leaves it in the directory that it is given", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cobre-failed-"));
    try {
      const highs = await loadSolver("highs");
      const impossible: LpSolver = {
        ...highs,
        create: (data, options) => {
          const columnLower = data.columnLower.slice();
          columnLower[0] = data.columnUpper[0] + 1;
          return highs.create({ ...data, columnLower }, options);
        },
      };
      const options = { solver: impossible, failureDirectory: folder };
      await assert.rejects(trainAndListen(await tutorial(1), options), /stage_0_bound/);
      assert.equal(readdirSync(folder).length, 1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("training that has ended", () => {
  const ENDS: readonly [rules: readonly StoppingRule[], hasConverged: boolean][] = [
    [[{ type: "iteration_limit", limit: 2 }], false],
    [
      [
        { type: "iteration_limit", limit: 40 },
        { type: "bound_stalling", iterations: 3, tolerance: 1e-9 },
      ],
      true,
    ],
  ];
  for (const [rules, hasConverged] of ENDS) {
    const { type } = rules[rules.length - 1];
    it(`by ${type} ${hasConverged ? "has" : "has not"} converged`, async () => {
      const source = changed(await caseNamed("sddp-tutorial"), { rules });
      const ended = await trainAndListen(source);
      assert.deepEqual([ended.termination, ended.hasConverged], [type, hasConverged]);
    });
  }
});
