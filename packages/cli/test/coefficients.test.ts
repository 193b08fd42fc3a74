/** What commands tell about the coefficients of the programs, before any of them is solved. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { CoefficientsJson } from "@cobre/study";
import { CobreProcess } from "./cobre-process.js";
import { copyExample } from "./example-case.js";

let folder = "";
/** An example, and the same with a limit that is none. */
let good = "";
let wide = "";

before(() => {
  folder = mkdtempSync(join(tmpdir(), "cobre-coefficients-"));
  const size = { iterations: 1, scenarios: 1 };
  good = copyExample("one-reservoir", join(folder, "good"), size);
  wide = copyExample("one-reservoir", join(folder, "wide"), size);
  const file = join(wide, "system/thermals.json");
  const content = JSON.parse(readFileSync(file, "utf8"));
  content.thermals[1].generation.max_mw = 1e14;
  writeFileSync(file, JSON.stringify(content));
});
after(() => rmSync(folder, { recursive: true }));

async function succeed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await CobreProcess.start(args).finished;
  assert.equal(code, 0, stderr);
  return stdout + stderr;
}

const ADVICE =
  /^advice: bounds reach from \S+ \(.*\) to 100000000000000 \(system\/thermals\.json: thermal \d+: generation\.max_mw\); where there is no real limit, /m;

describe("coefficients", () => {
  it("are told by validate: four ranges, and families on request", async () => {
    const short = await succeed("validate", good);
    assert.match(
      short,
      /^coefficients +from +to\nmatrix .*\ncosts \(1000 \$\) .*\nbounds .*\nright sides .*\n/,
    );
    assert.doesNotMatch(short, /thermal_generation|advice/);
    const long = await succeed("validate", good, "--coefficients");
    assert.match(long, /^thermal_generation +\d+ +1 +[\d.]+ … [\d.]+ +[\d.]+ … [\d.]+$/m);
    assert.match(long, /^power +\d+ /m);
  });

  it("come with advice where they are dangerous, and with a line of the run", async () => {
    assert.match(await succeed("validate", wide), ADVICE);
    const { coefficients, valid } = JSON.parse(await succeed("validate", wide, "--json")) as {
      coefficients: CoefficientsJson;
      valid: boolean;
    };
    assert.equal(valid, true);
    const [advice] = coefficients.advice;
    assert.equal(advice?.part, "bounds");
    assert.equal(advice?.largest.field, "generation.max_mw");
    assert.ok((coefficients.bounds?.ratio ?? 0) > 1e9);
    const log = await succeed("run", wide, "--output", join(folder, "out"));
    assert.match(log, /^bounds reach from \S+ to 100000000000000, which solvers take badly; /m);
    const quiet = await succeed("run", good, "--output", join(folder, "good-out"));
    assert.doesNotMatch(quiet, /reach from/);
    assert.match(quiet, /^iteration +lower bound/m);
  });
});
