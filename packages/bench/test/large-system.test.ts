/** The generator of a system of real size, at a small one. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { LocalCommunicator } from "@cobre/comm";
import { train, validateCase } from "@cobre/sddp";
import { runsQuick, runsRest } from "@cobre/testing/scope";

const SOURCES = new URL("../../../examples/large-system/", import.meta.url);
const GENERATOR = fileURLToPath(new URL("generate.mjs", SOURCES));

type Size = Readonly<Record<string, number>>;
const { caseFiles, FULL_SIZE } = (await import(new URL("case-files.mjs", SOURCES).href)) as {
  caseFiles(size: Size): Readonly<Record<string, string>>;
  readonly FULL_SIZE: Size;
};

const SMALL: Size = {
  ...FULL_SIZE,
  ...{ hydros: 12, thermals: 8, stages: 5, openings: 3, passes: 2, order: 3, iterations: 2 },
};

const folder = mkdtempSync(join(tmpdir(), "cobre-large-system-"));
after(() => rmSync(folder, { recursive: true }));

/** Runs the generator, and returns its exit code and what it says of a mistake. */
function generate(
  name: string,
  size: Size,
): { code: number | null; message: string; path: string } {
  const path = join(folder, name);
  const words = Object.entries(size).flatMap(([option, value]) => [`--${option}`, String(value)]);
  const { status, stderr } = spawnSync(process.execPath, [GENERATOR, path, ...words], {
    encoding: "utf8",
  });
  return { code: status, message: stderr, path };
}

async function issuesOf(path: string): Promise<string[]> {
  const { issues } = await validateCase(path);
  return issues.map(({ file, entity, problem }) => `${file} ${entity ?? ""}: ${problem}`);
}

interface Plant {
  readonly id: number;
  readonly downstream_id: number | null;
}

if (runsQuick) {
  describe("examples/large-system", () => {
    it("writes a case that is valid and can be trained", async () => {
      const { code, message, path } = generate("small", SMALL);
      assert.equal(code, 0, message);
      assert.deepEqual(await issuesOf(path), []);
      const { case: source } = await validateCase(path);
      assert.ok(source !== undefined);
      using comm = new LocalCommunicator();
      const { lowerBound, policy } = await train(comm, source);
      assert.ok(lowerBound > 0, `the bound is ${lowerBound}`);
      assert.equal(policy.iteration, 2);
    });

    it("writes the same bytes for the same seed, and others for another", () => {
      assert.deepEqual(caseFiles(SMALL), caseFiles(SMALL));
      const other = caseFiles({ ...SMALL, seed: 2 });
      assert.notEqual(other["system/hydros.json"], caseFiles(SMALL)["system/hydros.json"]);
    });

    it("has 160 hydro plants in cascades and 120 thermal plants in five areas at full size", () => {
      const files = caseFiles(FULL_SIZE);
      const read = (path: string) => JSON.parse(files[path] ?? "");
      const plants: Plant[] = read("system/hydros.json").hydros;
      assert.equal(plants.length, 160);
      assert.equal(read("system/thermals.json").thermals.length, 120);
      assert.equal(read("system/buses.json").buses.length, 5);
      const stages: { readonly blocks: readonly unknown[]; readonly num_openings: number }[] =
        read("stages.json").stages;
      assert.equal(stages.length, 60);
      assert.ok(stages.every(({ blocks, num_openings }) => blocks.length * num_openings === 60));
      // Water flows on to plants that come later, so that it never comes back.
      assert.ok(
        plants.every(({ id, downstream_id }) => downstream_id === null || downstream_id > id),
      );
      const inCascade = plants.filter(({ downstream_id }) => downstream_id !== null).length;
      assert.ok(inCascade > 80, `only ${inCascade} plants have one below them`);
      const lags = (files["scenarios/inflow_ar_coefficients.csv"] ?? "").matchAll(/^\d+,0,(\d),/gm);
      const longest = Math.max(...[...lags].map(([, lag]) => Number(lag)));
      assert.equal(longest, 6);
    });

    it("has inflows whose deviation is the one that is given", async () => {
      const { path } = generate("deviations", { ...SMALL, stages: 12, order: 6 });
      const { case: source } = await validateCase(path);
      const { autoregressions } = source?.uncertainty.input ?? assert.fail();
      const first = autoregressions.filter(({ stageId }) => stageId === 0);
      assert.equal(first.length, SMALL.hydros);
      for (const { hydroId, coefficients, residualStdRatio: ratio } of first) {
        // What is left after k months of an inflow that is one deviation too large.
        const left = [1];
        for (let month = 1; month < 2000; month++) {
          left.push(
            coefficients.reduce((sum, value, i) => sum + value * (left[month - 1 - i] ?? 0), 0),
          );
        }
        const variance = ratio ** 2 * left.reduce((sum, value) => sum + value ** 2, 0);
        assert.ok(Math.abs(variance - 1) < 1e-9, `hydro ${hydroId}: the variance is ${variance}`);
      }
    });

    it("refuses what is no size, and a folder that is there", () => {
      assert.match(generate("wrong", { hydros: 0 }).message, /--hydros: 0 is not a whole number/);
      assert.match(generate("wrong", { plants: 3 }).message, /Unknown option '--plants'/);
      const again = generate(".", {});
      assert.equal(again.code, 2);
      assert.match(again.message, /exists; name a new folder/);
    });
  });
}

if (runsRest) {
  it("examples/large-system: the full size is valid", async () => {
    const { path } = generate("full", {});
    assert.deepEqual(await issuesOf(path), []);
    assert.ok(readFileSync(join(path, "config.json"), "utf8").includes('"forward_passes": 50'));
  });
}
