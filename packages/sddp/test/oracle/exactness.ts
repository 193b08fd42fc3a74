/**
 * Where the bound of a converged training is the optimum, and where it is only a lower bound.
 *
 * An inflow that is truncated, or made up for at a penalty, is not a convex function of past inflows. Where it depends on past inflows that
 * differ from path to path, and can be negative on one of them, the package places its cuts below the cost (docs/known-issues.md). Two
 * things can be asserted there: the bound is not above the optimum, and no policy costs less. Everywhere else both are equal to it.
 */
import type { SmallSystem } from "./system.js";
import { lagWeights, ownInflow, pastInflow, treeOf } from "./tree.js";

export function canReachOptimum(system: SmallSystem): boolean {
  if (system.method === "none") return true;
  const tree = treeOf(system);
  return system.hydros.every((hydro, h) =>
    system.stages.every(({ openings }, stage) => {
      // Each past inflow is taken to be anywhere between its extremes, whatever the others are: the package does so as well.
      let [low, high] = [0, 0];
      for (const { lag, weight } of lagWeights(hydro, stage)) {
        const before = tree.filter((node) => node.stage === stage - 1);
        const parents = stage === 0 ? [null] : before;
        const values = parents.map((parent) => weight * pastInflow(hydro, h, parent, lag));
        low += Math.min(...values);
        high += Math.max(...values);
      }
      if (low === high) return true;
      return Array.from({ length: openings }, (_, opening) => opening).every((opening) => {
        const own = ownInflow(hydro, stage, opening);
        const isAlwaysZero = system.method.startsWith("truncation") && own + high <= 0;
        return own + low >= 0 || isAlwaysZero;
      });
    }),
  );
}
