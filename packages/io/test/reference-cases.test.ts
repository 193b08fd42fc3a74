import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { formatIssue } from "@cobre/core";
import { fillOpeningTree, openingTreeLength, validateCase } from "@cobre/io";
import { ForwardSampler, Seeds } from "@cobre/stochastic";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
/** The cases of the Cobre project; a clone without them runs the cases of our own. */
const CASES = process.env.COBRE_REFERENCE_CASES ?? resolve(ROOT, "../shared/cases");

/** What a case asks for that this version does not have yet. */
const NOT_YET: Readonly<Record<string, RegExp>> = {
  "d05-fpha-constant-head": /the production function fpha/,
  "d13-generic-constraint": /generic constraints/,
  "d15-non-controllable-source": /non-controllable sources/,
};

if (existsSync(CASES)) {
  describe("the cases of the Cobre project", () => {
    for (const name of readdirSync(CASES)) {
      if (!existsSync(join(CASES, name, "config.json"))) continue;
      it(`${name} is read, or told why not`, async () => {
        const { case: found, issues } = await validateCase(join(CASES, name));
        const lines = issues.map(formatIssue).join("\n");
        const notYet = NOT_YET[name];
        if (notYet === undefined) assert.ok(found !== undefined && issues.length === 0, lines);
        else assert.match(lines, notYet);
      });
    }

    it("1dtoy has the published openings and paths", async () => {
      const { case: toy } = await validateCase(join(CASES, "1dtoy"));
      assert.ok(toy !== undefined);
      const tree = fillOpeningTree(toy, new Float64Array(openingTreeLength(toy)));
      assert.equal(tree.values[0], 0.4009893649708159);
      const sampler = new ForwardSampler(tree, new Seeds(toy.config.training.scenarioSource.seed));
      assert.deepEqual(
        [0, 1, 2, 3].map((stage) => sampler.opening(1, 0, stage)),
        [3, 9, 9, 2],
      );
    });
  });
}
