/** A case for Cobre 0.5 that was migrated has the optimum that it had, and the bounds that the program of Cobre 0.18 finds. */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { loadCase, migrateCase, simulate, train } from "@cobre/sddp";
import { noReferenceCases, referenceCases } from "@cobre/testing/needs";
import { inScope, runsQuick } from "@cobre/testing/scope";
import { changed, directoryOf } from "./cases.js";

const folder = mkdtempSync(join(tmpdir(), "cobre-migrate-"));
after(() => rmSync(folder, { recursive: true }));

async function migrated(name: string): Promise<{ target: string; notes: string[] }> {
  const target = join(folder, `${basename(name)}-${Math.random().toString(36).slice(2)}`);
  const { notes } = await migrateCase(directoryOf(name), target);
  return { target, notes: notes.map(({ file, what }) => `${file} ${what}`) };
}

async function boundOf(directory: string, iterations?: number): Promise<number> {
  using comm = new LocalCommunicator();
  const source = await loadCase(directory);
  assert.deepEqual(source.warnings, []);
  const limited = iterations === undefined ? source : changed(source, { iterations });
  return (await train(comm, limited)).lowerBound;
}

const near = (found: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(found / expected - 1) <= tolerance, `${found} for ${expected}`);

const SIMULATED = "config.json simulation";

const EARLIER = "one-reservoir-0.5";

/** The example with inflows that depend on those of the month before. */
function withLags(): string {
  const target = mkdtempSync(join(folder, "lags-"));
  cpSync(directoryOf(EARLIER), target, { recursive: true });
  const initial = join(target, "initial_conditions.json");
  const past_inflows = [{ hydro_id: 0, values_m3s: [48] }];
  const conditions = JSON.parse(readFileSync(initial, "utf8"));
  writeFileSync(initial, JSON.stringify({ ...conditions, past_inflows }));
  const rows = Array.from({ length: 12 }, (_, stage) => `0,${stage},1,0.6,0.8\n`);
  writeFileSync(
    join(target, "scenarios/inflow_ar_coefficients.csv"),
    `hydro_id,stage_id,lag,coefficient,residual_std_ratio\n${rows.join("")}`,
  );
  return target;
}

if (runsQuick)
  describe("a migrated example has the cost of the old one", () => {
    for (const [what, directory] of [
      ["as it is", () => directoryOf(EARLIER)],
      ["with lags", withLags],
    ] as const)
      it(what, async () => {
        const old = directory();
        const { target, notes } = await migrated(old);
        assert.deepEqual(notes, [SIMULATED]);
        near(await boundOf(target, 5), await boundOf(old, 5), 1e-12);
      });

    it("which is that of the example for Cobre 0.18, to the last bit", async () => {
      const [old, later] = [directoryOf(EARLIER), directoryOf("one-reservoir")];
      assert.equal(await boundOf(later, 5), await boundOf(old, 5));
    });

    it("and simulates other scenarios", async () => {
      using comm = new LocalCommunicator();
      const { target } = await migrated(EARLIER);
      const costs: Float64Array[] = [];
      for (const directory of [directoryOf(EARLIER), target]) {
        const source = changed(await loadCase(directory), { iterations: 3 });
        const { policy } = await train(comm, source);
        costs.push((await simulate(comm, source, policy, { scenarios: 20 })).costs);
      }
      assert.notDeepEqual(costs[1], costs[0]);
    });

    it("and nothing is written over", async () => {
      const { target } = await migrated(EARLIER);
      await assert.rejects(
        migrateCase(directoryOf(EARLIER), target),
        /exists already; choose another directory/,
      );
      await assert.rejects(
        migrateCase(target, join(folder, "again")),
        /is written for Cobre 0\.18 already/,
      );
      assert.ok(!existsSync(join(folder, "again")));
    });
  });

interface Expected {
  readonly "1dtoy-0.18": {
    readonly lower_bounds_by_iteration: Readonly<Record<string, number>>;
    readonly tolerance: number;
  };
  readonly translated: Readonly<Record<string, number>>;
}

if (referenceCases === undefined || !existsSync(join(referenceCases, "expected-0.18.json"))) {
  noReferenceCases("the bounds of Cobre 0.18");
} else {
  const cases = referenceCases;
  const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));
  const expected = read(join(cases, "expected-0.18.json")) as Expected;

  describe("the bounds of Cobre 0.18", () => {
    if (!runsQuick) return;
    it("of its own 1dtoy", async () => {
      using comm = new LocalCommunicator();
      const { lower_bounds_by_iteration: bounds, tolerance } = expected["1dtoy-0.18"];
      const source = await loadCase(join(cases, "1dtoy-0.18"));
      const iterations = Math.max(...Object.keys(bounds).map(Number));
      const { policy } = await train(comm, changed(source, { iterations }));
      for (const [iteration, bound] of Object.entries(bounds)) {
        near(policy.history[Number(iteration) - 1].lowerBound, bound, tolerance);
      }
    });

    for (const [name, bound] of Object.entries(expected.translated))
      it(`of ${name}, translated, with turbined water of all plants at the old cost`, async () => {
        const { target } = await migrated(name);
        const cost = read(join(cases, name, "penalties.json")).hydro.fpha_turbined_cost;
        const penalties = read(join(target, "penalties.json"));
        penalties.hydro.turbined_cost = cost;
        writeFileSync(join(target, "penalties.json"), JSON.stringify(penalties));
        near(await boundOf(target), bound, 1e-9);
      });
  });

  describe("a migrated case of the Cobre project has the cost of the old one", () => {
    const names = Object.keys(read(join(cases, "expected.json"))).filter((name) => name !== "note");
    for (const name of inScope({ quick: names, rest: [] }))
      it(name, async () => {
        const { target, notes } = await migrated(name);
        // Its inflows have no noise, so that its ratio of 1 is of no account.
        const others = notes.filter((note) => note !== SIMULATED && !/inflow_ar/.test(note));
        assert.deepEqual(others, []);
        assert.equal(notes.length - others.length > 1, name.startsWith("d16"), notes.join("\n"));
        near(await boundOf(target, 10), await boundOf(directoryOf(name), 10), 1e-9);
      });
  });
}
