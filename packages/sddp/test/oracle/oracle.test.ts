/**
 * A converged training has the value of the whole tree as one program, and so has the policy over all paths. See extensive-form.ts for the
 * program, check.ts for what is compared, exactness.ts for where it need not be equal, generate.ts for the systems.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { loadSolver } from "@cobre/solver";
import { inScope } from "@cobre/testing/scope";
import { checkSystem, type Verdict } from "./check.js";
import { generateSystem } from "./generate.js";
import { numbersOf, reportFailure } from "./report.js";

const withEmbeddedSimplex = await loadSolver("highs");
process.env.COBRE_SIMPLEX = "solver";
const highsAlone = await loadSolver("highs");
delete process.env.COBRE_SIMPLEX;

/** The programs are small. HiGHS alone solves those of every fifth system, as it solves large ones. */
const solverOf = (seed: number) => (seed % 5 === 0 ? highsAlone : withEmbeddedSimplex);

/** Seeds of one test. */
const BATCH = 25;
const batches = (first: number, count: number) =>
  Array.from({ length: count / BATCH }, (_, i) => first + i * BATCH);

/** What must have mattered in a share of the systems, or they test too little: costs and flows by their columns in the results. */
const SHARES = {
  thermal_cost: 0.5,
  deficit_cost: 0.4,
  excess_cost: 0.2,
  exchange_cost: 0.4,
  spillage_cost: 0.3,
  outflow_violation_below_cost: 0.1,
  outflow_violation_above_cost: 0.2,
  turbined_violation_cost: 0.15,
  generation_violation_cost: 0.15,
  inflow_penalty_cost: 0.03,
  diverted_outflow_m3s: 0.05,
  available_mw: 0.25,
  contract_cost: 0.15,
  pumped_flow_m3s: 0.04,
  generic_violation_cost: 0.15,
  curtailment_mw: 0.1,
  fpha_turbined_cost: 0.1,
  storage_violation_cost: 0.03,
  filling_target_cost: 0.01,
  volume_hm3: 0.08,
  evaporation_violation_cost: 0.03,
  withdrawal_violation_cost: 0.05,
  evaporation_m3s: 0.08,
};

const verdicts: Verdict[] = [];
/** Only the first failure of a run is shrunk: a mistake in the program makes many. */
let hasShrunk = false;

/** What is wrong with the system of a seed. */
async function failureOf(seed: number): Promise<string | undefined> {
  const system = generateSystem(seed);
  const solver = solverOf(seed);
  const scratch = mkdtempSync(join(tmpdir(), "cobre-oracle-"));
  try {
    const verdict = await checkSystem(system, scratch, solver);
    verdicts.push(verdict);
    if (verdict.failure === undefined) return undefined;
    if (hasShrunk) return `seed ${seed}: ${verdict.failure}\n${numbersOf(verdict)}`;
    hasShrunk = true;
    return await reportFailure(system, verdict, scratch, solver);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

describe("training and simulation beside the whole tree as one program", () => {
  for (const first of inScope({
    few: batches(1, 100),
    quick: batches(1, 150),
    rest: [...batches(151, 250), ...batches(1001, 1600)],
  })) {
    it(`seeds ${first} to ${first + BATCH - 1}`, async () => {
      for (let seed = first; seed < first + BATCH; seed++) {
        const failure = await failureOf(seed);
        assert.ok(failure === undefined, failure);
      }
    });
  }

  it("had systems in which everything mattered", () => {
    const share = (isSo: (verdict: Verdict) => boolean) =>
      verdicts.filter(isSo).length / verdicts.length;
    assert.ok(share(({ isExact }) => isExact) > 0.8, "the bound must reach the optimum in most");
    assert.ok(share(({ isExact }) => !isExact) > 0.02, "and must not in some");
    for (const [column, least] of Object.entries(SHARES)) {
      const found = share(({ costKinds }) => costKinds.includes(column));
      assert.ok(found >= least, `${column} was paid in ${found} of the systems, not in ${least}`);
    }
  });
});
