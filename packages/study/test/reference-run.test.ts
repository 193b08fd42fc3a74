/** Runs that take cuts from a policy of the Cobre project. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { loadCase, SddpError } from "@cobre/sddp";
import { runStudy, type StudyResult } from "@cobre/study";
import { writeEarlier, writeLater } from "../../sddp/dist-test/reference/write-policy.js";
import { smallCase } from "./small-case.js";

let folder = "";
/** The policy of two stages, as Cobre 0.18 and as Cobre 0.5 would write it. */
let later = "";
let earlier = "";

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cobre-reference-run-"));
  const { training } = await run(2, {});
  assert.ok(training);
  later = writeLater(training.policy, join(folder, "later"));
  earlier = writeEarlier(training.policy, join(folder, "earlier"));
});
after(() => rmSync(folder, { recursive: true }));

let runs = 0;
async function run(stages: number, settings: object): Promise<StudyResult> {
  using comm = new LocalCommunicator();
  const source = await loadCase(smallCase(stages), settings);
  return await runStudy(comm, source, { output: join(folder, `run-${++runs}`) });
}

/** 60 MW of two stages, of which the lake has 10: a thermal plant at 100 $/MWh for 1,000 hours. */
const COST = 5_000_000;
const near = (value: number | undefined, exact: number) =>
  assert.ok(Math.abs((value ?? Number.NaN) / exact - 1) < 1e-6, `${value}, ${exact}`);

describe("a run with a policy of the Cobre project", () => {
  it("takes its cuts as terminal values, by date or by stage", async () => {
    const dated = await run(1, { policy: { boundary: { path: later } } });
    near(dated.training?.lowerBound, COST);
    near(dated.simulation?.statistics.mean, COST);
    const named = await run(1, { policy: { boundary: { path: earlier, source_stage: 0 } } });
    near(named.training?.lowerBound, COST);
    await assert.rejects(
      run(1, { policy: { boundary: { path: earlier } } }),
      /of Cobre 0\.5, and does not say when its stages end; give policy\.boundary\.source_stage/,
    );
  });

  it("starts warm with them, and simulates with them alone", async () => {
    const warm = await run(2, { policy: { mode: "warm_start", path: later } });
    near(warm.training?.lowerBound, COST);
    assert.deepEqual(warm.training?.policy.boundCaveats, ["foreign_cuts"]);
    const { simulation } = await run(2, {
      policy: { path: earlier },
      training: { enabled: false },
    });
    near(simulation?.statistics.mean, COST);
  });

  it("does not resume it, and says what can be done", async () => {
    await assert.rejects(run(2, { policy: { mode: "resume", path: later } }), (error) => {
      assert.ok(error instanceof SddpError && error.kind === "IncompatiblePolicy");
      assert.match(
        error.message,
        /only the cuts can be taken over; set policy\.mode to warm_start/,
      );
      return true;
    });
  });
});
