/**
 * The deterministic equivalent of a small system: one linear program with the decisions of every node of the tree. It is written from the
 * mathematics of the model and shares no code with the package. What is optimal here is what a converged training must find.
 */
import type { LpSolver } from "@cobre/solver";
import { decidingStage, deliveriesOf, furthestOf } from "./commitments.js";
import { addNode } from "./node-program.js";
import {
  arrivingFrom,
  committedTo,
  discountOf,
  type Made,
  type NodeColumns,
  pathTo,
} from "./path-links.js";
import { gathered, Program, type Terms, times } from "./program.js";
import type { SmallStage, SmallSystem } from "./system.js";
import { depthOf, seedOf } from "./travel.js";
import { pastInflow, type TreeNode, treeOf } from "./tree.js";

/** Costs in the program are in thousands of $, so that they have the size of the other numbers. */
const SCALE = 1000;

/** The cost, in $, of the best policy. The noise of a sampled tree must have been put into the system. */
export function optimumOf(system: SmallSystem, solver: LpSolver): number {
  const tree = treeOf(system);
  const program = new Program();
  const made: Made = new Map();
  for (const node of tree) made.set(node, addNode(program, system, node, made));
  /** The cost of a node and of all that comes after it. */
  const worthOf = (node: TreeNode): Terms => {
    const stage = system.stages[node.stage];
    const future =
      node.children.length > 0
        ? riskOf(program, system, stage, node.children.map(worthOf))
        : terminalValue(program, system, node, made);
    return [...(made.get(node)?.cost ?? []), ...times(discountOf(system, stage), future)];
  };
  const roots = tree.filter(({ parent }) => parent === null);
  const objective = riskOf(program, system, system.stages[0], roots.map(worthOf));
  return SCALE * program.minimum(times(1 / SCALE, objective), solver);
}

/**
 * The worth of equally likely values: (1 - λ) · mean + λ · CVaR_α. By Rockafellar and Uryasev, CVaR_α is the minimum over u of u + mean of
 * max(0, value - u) / α. Cobre 0.5 lets no weight exceed ((1 - λ) + λ / α) / n and asks for no least one: that is CVaR alone, with 1 / α =
 * (1 - λ) + λ / α.
 */
function riskOf(
  program: Program,
  { compat }: SmallSystem,
  { risk }: SmallStage,
  values: readonly Terms[],
): Terms {
  const mean = values.flatMap((value) => times(1 / values.length, value));
  if (risk === null || risk.lambda === 0) return mean;
  const lambda = compat ? 1 : risk.lambda;
  const alpha = compat ? 1 / (1 - risk.lambda + risk.lambda / risk.alpha) : risk.alpha;
  const threshold = program.column(Number.NEGATIVE_INFINITY);
  const excesses = values.map((value) => {
    const excess = program.column();
    // In thousands, like the objective.
    program.atLeast([[excess, 1], [threshold, 1], ...times(-1 / SCALE, value)], 0);
    return [excess, (lambda * SCALE) / alpha / values.length] as const;
  });
  return [...times(1 - lambda, mean), [threshold, lambda * SCALE], ...excesses];
}

/** A column that is at least as large as each boundary cut. */
function terminalValue(program: Program, system: SmallSystem, leaf: TreeNode, made: Made): Terms {
  const { boundary, hydros } = system;
  if (boundary === null) return [];
  const { storage } = made.get(leaf) as NodeColumns;
  const path = pathTo(leaf);
  const value = program.column(Number.NEGATIVE_INFINITY);
  boundary.forEach((intercept, cut) => {
    let known = intercept;
    const slopes: (readonly [number, number])[] = [];
    hydros.forEach((hydro, h) => {
      const { storage: slope, lags, transit } = hydro.boundary[cut];
      slopes.push([storage[h], -slope / SCALE]);
      for (let ahead = 1; ahead <= depthOf(system, h); ahead++) {
        const [price, stage] = [transit[ahead - 1] ?? 0, leaf.stage + ahead];
        slopes.push(...times(-price / SCALE, arrivingFrom(system, path, made, h, stage)));
        known += price * seedOf(system, h, stage);
      }
      // Lag 1 behind the study is the inflow of its last stage.
      lags.forEach((lagSlope, i) => {
        known += lagSlope * pastInflow(hydro, h, leaf, i + 1);
      });
    });
    for (const thermal of system.thermals) {
      for (let ahead = 1; ahead <= furthestOf(system, thermal); ahead++) {
        const stage = leaf.stage + ahead;
        if (stage >= deliveriesOf(system)) continue;
        if (decidingStage(system, thermal, stage) > leaf.stage) continue;
        const price = thermal.boundary[cut]?.[ahead - 1] ?? 0;
        const to = committedTo(system, path, made, thermal, stage);
        slopes.push(...times(-price / SCALE, to.terms));
        known += price * to.known;
      }
    }
    program.atLeast([[value, 1], ...gathered(slopes)], known / SCALE);
  });
  return [[value, SCALE]];
}
