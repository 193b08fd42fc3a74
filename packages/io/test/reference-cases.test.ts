import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { formatIssue } from "@cobre/core";
import { fillOpeningTree, openingTreeLength } from "@cobre/io";
import { validateCase } from "@cobre/sddp";
import { ForwardSampler, Seeds } from "@cobre/stochastic";
import { noReferenceCases, referenceCases } from "@cobre/testing/needs";

if (referenceCases === undefined) {
  noReferenceCases("the cases of the Cobre project");
} else {
  const cases = referenceCases;

  describe("the cases of the Cobre project", () => {
    for (const name of readdirSync(cases)) {
      if (!existsSync(join(cases, name, "config.json"))) continue;
      it(`${name} is read`, async () => {
        const { case: found, issues } = await validateCase(join(cases, name));
        const lines = issues.map(formatIssue).join("\n");
        assert.ok(found !== undefined && issues.length === 0, lines);
      });
    }

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
