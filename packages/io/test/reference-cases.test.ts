import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { formatIssue } from "@cobre/core";
import { fillOpeningTree, openingTreeLength } from "@cobre/io";
import { validateCase } from "@cobre/sddp";
import { ForwardSampler, Seeds } from "@cobre/stochastic";
import { noReferenceCases, referenceCases } from "@cobre/testing/needs";

/** What a case asks for that this version does not have yet. */
const NOT_YET: Readonly<Record<string, RegExp>> = {
  // A case as Cobre 0.18 writes it.
  "1dtoy-0.18":
    /training\.selection: is a field of Cobre 0\.18; this version reads cases of Cobre 0\.5: give forward_passes/,
};

if (referenceCases === undefined) {
  noReferenceCases("the cases of the Cobre project");
} else {
  const cases = referenceCases;

  describe("the cases of the Cobre project", () => {
    for (const name of readdirSync(cases)) {
      if (!existsSync(join(cases, name, "config.json"))) continue;
      it(`${name} is read, or told why not`, async () => {
        const { case: found, issues } = await validateCase(join(cases, name));
        const lines = issues.map(formatIssue).join("\n");
        const notYet = NOT_YET[name];
        if (notYet === undefined) assert.ok(found !== undefined && issues.length === 0, lines);
        else {
          assert.equal(found, undefined);
          assert.match(lines, notYet);
          assert.doesNotMatch(lines, /has no effect/, "advice that would change the result");
        }
      });
    }

    it("1dtoy as Cobre 0.18 writes it is refused in every file that differs", async () => {
      if (!existsSync(join(cases, "1dtoy-0.18"))) return;
      const { issues } = await validateCase(join(cases, "1dtoy-0.18"));
      const refused = issues
        .filter(({ problem }) => problem.startsWith("is a field of Cobre 0.18"))
        .map(({ file, field }) => `${file} ${field}`);
      for (const place of [
        "config.json training.selection",
        "config.json simulation.selection",
        "stages.json num_openings",
        "penalties.json hydro.turbined_cost",
        "system/buses.json operational_start_date",
        "system/thermals.json operational_start_date",
      ]) {
        assert.ok(refused.includes(place), `${place} is not among ${refused.join(", ")}`);
      }
    });

    it("1dtoy has the published openings and paths", async () => {
      const { case: toy } = await validateCase(join(cases, "1dtoy"));
      assert.ok(toy !== undefined);
      const tree = fillOpeningTree(toy, new Float64Array(openingTreeLength(toy)));
      assert.equal(tree.values[0], 0.40098936496495646);
      const sampler = new ForwardSampler(tree, new Seeds(toy.config.training.treeSeed));
      assert.deepEqual(
        [0, 1, 2, 3].map((stage) => sampler.opening(1, 0, stage)),
        [3, 9, 9, 2],
      );
    });
  });
}
