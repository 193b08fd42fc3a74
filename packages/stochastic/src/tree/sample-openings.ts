import type { Correlation } from "../correlation/correlation.js";
import { standardNormal } from "../random/normal.js";
import { Pcg64 } from "../random/pcg64.js";
import type { Seeds } from "../random/seeds.js";
import type { OpeningTree, TreeStage } from "./opening-tree.js";

/**
 * Fills the tree with independent draws (sample-average approximation), correlated if a correlation is given.
 * A stage with the same season and year as the previous one, such as the weeks of a month, copies its openings.
 */
export function sampleOpenings(tree: OpeningTree, seeds: Seeds, correlation?: Correlation): void {
  const rng = new Pcg64();
  tree.stages.forEach((stage, index) => {
    const shared = isSharing(stage, tree.stages[index - 1]) ? tree.openings(index - 1) : 0;
    for (let opening = 0; opening < stage.openings; opening++) {
      const offset = tree.offset(index, opening);
      if (opening < shared) {
        const from = tree.offset(index - 1, opening);
        tree.values.copyWithin(offset, from, from + tree.dimension);
        continue;
      }
      seeds.startOpening(rng, opening, stage.id);
      for (let i = 0; i < tree.dimension; i++) tree.values[offset + i] = standardNormal(rng);
      correlation?.apply(stage.id, tree.values, offset);
    }
  });
}

function isSharing(stage: TreeStage, previous: TreeStage | undefined): boolean {
  return (
    previous !== undefined &&
    stage.seasonId !== undefined &&
    stage.seasonId === previous.seasonId &&
    stage.startYear === previous.startYear
  );
}
