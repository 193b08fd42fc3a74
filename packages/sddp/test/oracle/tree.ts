/**
 * The tree of a small system: a node for each opening of each stage behind each path that leads there. Inflows depend on no
 * decision, so every node has them as plain numbers.
 */
import type { SmallHydro, SmallSystem } from "./system.js";

export interface TreeNode {
  /** Counted from 0, like the opening. */
  readonly stage: number;
  readonly opening: number;
  readonly parent: TreeNode | null;
  readonly children: TreeNode[];
  /** The inflow of each plant, in the order of the description: after truncation, before water is added to it. */
  readonly inflow: readonly number[];
  /** The same before truncation. */
  readonly natural: readonly number[];
}

/** All nodes, parents before children; those of the first stage have no parent. */
export function treeOf(system: SmallSystem): readonly TreeNode[] {
  const nodes: TreeNode[] = [];
  const grow = (parent: TreeNode | null, stage: number): void => {
    for (let opening = 0; opening < (system.stages[stage]?.openings ?? 0); opening++) {
      const natural = system.hydros.map((hydro, h) =>
        naturalInflow(hydro, h, stage, opening, parent),
      );
      const inflow = natural.map((value, h) => {
        const isRaised =
          system.method.startsWith("truncation") && hasNoise(system.hydros[h], stage);
        return isRaised ? Math.max(0, value) : value;
      });
      const node: TreeNode = { stage, opening, parent, children: [], inflow, natural };
      nodes.push(node);
      parent?.children.push(node);
      grow(node, stage + 1);
    }
  };
  grow(null, 0);
  return nodes;
}

/** The inflow `lag` stages before the one that comes after `node`. */
export function pastInflow(
  { past }: SmallHydro,
  h: number,
  node: TreeNode | null,
  lag: number,
): number {
  let back = lag;
  for (let at = node; at !== null; at = at.parent) {
    back--;
    if (back === 0) return at.inflow[h];
  }
  return past[back - 1] ?? 0;
}

/** Without noise there is nothing that truncation can raise. */
function hasNoise({ stages }: SmallHydro, stage: number): boolean {
  return stages[stage].std > 0;
}

/** μ_t + Σ weight_l · (a_l - μ_{t-l}) + σ η */
function naturalInflow(
  hydro: SmallHydro,
  h: number,
  stage: number,
  opening: number,
  parent: TreeNode | null,
): number {
  let value = ownInflow(hydro, stage, opening);
  for (const { lag, weight } of lagWeights(hydro, stage)) {
    value += weight * pastInflow(hydro, h, parent, lag);
  }
  return value;
}

/** The part of an inflow that depends on no other: μ_t - Σ weight_l · μ_{t-l} + σ η. */
export function ownInflow(hydro: SmallHydro, stage: number, opening: number): number {
  const { mean, std, coefficients, ratio, noise } = hydro.stages[stage];
  let value = mean + std * (coefficients.length > 0 ? ratio : 1) * noise[opening];
  for (const { lag, weight } of lagWeights(hydro, stage)) {
    value -= weight * statistics(hydro, stage - lag).mean;
  }
  return value;
}

/** By how much a past inflow counts: ψ_l s_t / s_{t-l}, and a twelfth of the annual part. */
export function lagWeights(
  hydro: SmallHydro,
  stage: number,
): readonly { readonly lag: number; readonly weight: number }[] {
  const { std, coefficients, annual } = hydro.stages[stage];
  const lags = Math.max(coefficients.length, annual === null ? 0 : 12);
  return Array.from({ length: lags }, (_, i) => {
    const then = statistics(hydro, stage - i - 1);
    const psi = coefficients[i] ?? 0;
    const seasonal = then.std === 0 ? 0 : (psi * std) / then.std;
    const yearly = annual === null || i >= 12 ? 0 : (annual.coefficient * std) / annual.std / 12;
    return { lag: i + 1, weight: seasonal + yearly };
  });
}

/** Mean and deviation in a stage of the study, or, with a negative number, in one before it. */
function statistics({ stages, before }: SmallHydro, stage: number) {
  return stage >= 0 ? stages[stage] : before[-stage - 1];
}
