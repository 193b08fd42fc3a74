import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import type { Case } from "@cobre/io";
import {
  type Boundary,
  decodePolicy,
  encodePolicy,
  hashPolicy,
  loadCase,
  type Policy,
  SddpError,
  simulate,
  train,
} from "@cobre/sddp";
import { loadSolver } from "@cobre/solver";
import { Exchange, openModel, scenarioCosts, Workspace } from "#internal";
import { caseNamed, changed, directoryOf } from "./cases.js";

const OPTIMUM = 8_333_333.333333;
const FILES = [
  "constraints/thermal_bounds.csv",
  "scenarios/inflow_seasonal_stats.csv",
  "scenarios/load_seasonal_stats.csv",
];

let folder = "";
/** The tutorial problem without its last stage. */
let shortened: Case;
let whole: Policy;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-boundary-"));
  cpSync(directoryOf("sddp-tutorial"), folder, { recursive: true });
  const stages = JSON.parse(readFileSync(join(folder, "stages.json"), "utf8"));
  stages.stages.pop();
  writeFileSync(join(folder, "stages.json"), JSON.stringify(stages));
  for (const name of FILES) keepRows(name, ([, stage]) => stage !== "2");
  keepRows("scenarios/noise_openings.csv", ([stage]) => stage !== "2");
  shortened = changed(await loadCase(folder), { iterations: 20 });
  using comm = new LocalCommunicator();
  const source = changed(await caseNamed("sddp-tutorial"), { iterations: 30 });
  whole = (await train(comm, source)).policy;
});
after(() => rmSync(folder, { recursive: true }));

function keepRows(name: string, isKept: (cells: string[]) => boolean): void {
  const file = join(folder, name);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  writeFileSync(file, `${lines.filter((line) => isKept(line.split(","))).join("\n")}\n`);
}

describe("cuts behind the last stage", () => {
  it("stand for the stages that are left out: the optimum is that of the whole problem", async () => {
    using comm = new LocalCommunicator();
    const boundary = { policy: whole, sourceStage: 1 };
    const { policy, lowerBound } = await train(comm, shortened, { boundary });
    assert.ok(Math.abs(lowerBound - OPTIMUM) < 1, `${lowerBound}`);
    const without = await train(comm, shortened);
    assert.ok(without.lowerBound < 0.8 * OPTIMUM, `${without.lowerBound}`);
    // What is behind counts in the costs of paths as well: else they would be far below the bound.
    const { statistics, costs } = await simulate(comm, shortened, policy, { scenarios: 400 });
    assert.ok(Math.abs(statistics.mean / OPTIMUM - 1) < 0.15, `${statistics.mean}`);
    // And in those that stopping rules ask for.
    using model = openModel(comm, shortened);
    const solver = await loadSolver("highs");
    using workspace = new Workspace(model, solver, new Exchange(comm), folder, policy.pools);
    scenarioCosts(workspace, policy.points, 5).forEach((cost, scenario) => {
      assert.ok(Math.abs(cost - costs[scenario]) <= 1e-9 * cost, `${cost}, not ${costs[scenario]}`);
    });
  });

  for (const [what, costs] of [
    ["everywhere", [-50, -50, -50]],
    ["only behind the last stage", [50, 100, -50]],
    ["in the last stage and behind it", [50, -50, -150]],
  ] as const) {
    it(`may be negative ${what}: the floors of the stages before follow`, async () => {
      using comm = new LocalCommunicator();
      const long = changed(await caseNamed("sddp-tutorial"), { iterations: 30 });
      long.study.thermals.costPerMwh.values.set(costs);
      const expected = await train(comm, long);
      const short = changed(await loadCase(folder), { iterations: 20 });
      short.study.thermals.costPerMwh.values.set(costs.slice(0, 2));
      const boundary = { policy: expected.policy, sourceStage: 1 };
      const { lowerBound, policy } = await train(comm, short, { boundary });
      const gap = Math.abs(lowerBound / expected.lowerBound - 1);
      assert.ok(gap < 1e-6, `${lowerBound} instead of ${expected.lowerBound}`);
      // A checkpoint and a simulation know the same floors.
      const read = decodePolicy(encodePolicy(policy), "policy");
      const { statistics } = await simulate(comm, short, read, { scenarios: 200 });
      const spread = (4 * statistics.std) / Math.sqrt(200) + 1;
      assert.ok(Math.abs(statistics.mean - lowerBound) < spread, `${statistics.mean}`);
    });
  }

  it("go through a checkpoint to the same bits", async () => {
    using comm = new LocalCommunicator();
    const boundary = { policy: whole, sourceStage: 1 };
    const full = await train(comm, shortened, { boundary });
    const half = await train(comm, changed(shortened, { iterations: 7 }), { boundary });
    const resume = decodePolicy(encodePolicy(half.policy), "policy");
    const resumed = await train(comm, shortened, { resume });
    assert.deepEqual(hashPolicy(resumed.policy), hashPolicy(full.policy));
  });

  it("are found by the date on which the study ends", async () => {
    using comm = new LocalCommunicator();
    const named = await train(comm, shortened, { boundary: { policy: whole, sourceStage: 1 } });
    const dated = await train(comm, shortened, { boundary: { policy: whole } });
    assert.deepEqual(hashPolicy(dated.policy), hashPolicy(named.policy));
    assert.equal(dated.policy.origin.caseFingerprint, named.policy.origin.caseFingerprint);
  });

  it("are refused if they are not there, or speak of other states", async () => {
    using comm = new LocalCommunicator();
    const refused = (boundary: Boundary, message: RegExp) =>
      assert.rejects(train(comm, shortened, { boundary }), (error) => {
        assert.ok(error instanceof SddpError && error.kind === "IncompatiblePolicy");
        assert.match(error.message, message);
        return true;
      });
    await refused(
      { policy: whole, sourceStage: 2 },
      /no cuts for stage 2.*source_stage.*from 0 to 1/,
    );
    const origin = { ...whole.origin, hydroIds: [7] };
    await refused({ policy: { ...whole, origin }, sourceStage: 1 }, /its states are hydros 7/);
    const dated = (...pricedAt: readonly string[]) => ({
      policy: { ...whole, origin: { ...whole.origin, pricedAt } },
    });
    await refused(
      dated("2025-02-01", "2025-02-28", "2025-04-01"),
      /none of its stages ends on 2025-03-01.*: its stages end on 2025-02-01, 2025-02-28, 2025-04-01;/,
    );
    await refused(
      dated("2025-01-01", "2025-02-01", "2025-03-01"),
      /no cuts for stage 2, which ends on that date; choose a stage from 0 to 1/,
    );
    const { pricedAt: _, ...undated } = whole.origin;
    await refused({ policy: { ...whole, origin: undated } }, /an earlier version.*source_stage/);
    const nodes = [0, 0, 1, 2].map((stage, id) => ({ id, stage }));
    const branching = { ...whole, origin: { ...whole.origin, nodes } };
    await refused({ policy: branching, sourceStage: 0 }, /its stage 0 has 2 nodes/);
  });
});
