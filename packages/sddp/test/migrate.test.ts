/** A case for Cobre 0.5 that was migrated has the optimum that it had, and the bounds that the program of Cobre 0.18 finds. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { LocalCommunicator } from "@cobre/comm";
import { loadCase, migrateCase, simulate, train } from "@cobre/sddp";
import { noReferenceCases, referenceCases } from "@cobre/testing/needs";
import { inScope, runsQuick } from "@cobre/testing/scope";
import { changed, directoryOf } from "./cases.js";

const folder = mkdtempSync(join(tmpdir(), "cobre-migrate-"));
after(() => rmSync(folder, { recursive: true }));

async function migrated(name: string): Promise<{ target: string; notes: string[] }> {
  const target = join(folder, `${name}-${Math.random().toString(36).slice(2)}`);
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

if (runsQuick)
  describe("a migrated example has the cost of the old one", () => {
    const EXAMPLES: readonly [name: string, iterations: number, tolerance: number][] = [
      ["fast", 10, 1e-12],
      ["one-reservoir", 5, 1e-12],
      ["sddp-tutorial", 20, 1e-12],
      // The file has six digits of what follows from the coefficients.
      ["four-regions", 2, 1e-6],
    ];
    for (const [name, iterations, tolerance] of EXAMPLES)
      it(name, async () => {
        const { target, notes } = await migrated(name);
        assert.deepEqual(notes, [SIMULATED]);
        const [old, later] = [
          await boundOf(directoryOf(name), iterations),
          await boundOf(target, iterations),
        ];
        near(later, old, tolerance);
      });

    it("and simulates other scenarios", async () => {
      using comm = new LocalCommunicator();
      const { target } = await migrated("sddp-tutorial");
      const costs: Float64Array[] = [];
      for (const directory of [directoryOf("sddp-tutorial"), target]) {
        const source = changed(await loadCase(directory), { iterations: 3 });
        const { policy } = await train(comm, source);
        costs.push((await simulate(comm, source, policy, { scenarios: 20 })).costs);
      }
      assert.notDeepEqual(costs[1], costs[0]);
    });

    it("and nothing is written over", async () => {
      const { target } = await migrated("fast");
      await assert.rejects(
        migrateCase(directoryOf("fast"), target),
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
