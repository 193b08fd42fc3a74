import type { NodeGraph } from "@cobre/core";
import { LIMITS } from "@cobre/io";

/** The fields that tell how many paths are drawn, and how many paths there may be at most. */
const MOST_PATHS = {
  forward_passes: LIMITS.forwardPasses,
  num_scenarios: LIMITS.scenarios,
} as const;

export type PathCount = keyof typeof MOST_PATHS;

/**
 * Why forward passes or scenarios cannot go along every path once, if they cannot.
 *
 * @param count the field that would tell how many paths are drawn instead
 */
export function enumerationFault(
  graph: NodeGraph,
  openings: (node: number) => number,
  count: PathCount,
): { readonly problem: string; readonly remedy: string } | undefined {
  const sample = `or draw paths: {"method": "sampled", "${count}": …}`;
  const problem = "asks for every path once";
  if (graph.isCyclic) {
    return { problem: `${problem}, but in a cyclic horizon paths have no end`, remedy: sample };
  }
  const several = graph.nodes.findIndex((_, node) => openings(node) > 1);
  if (several >= 0) {
    const { id } = graph.nodes[several];
    const what = graph.isChain ? `stage ${id}` : `node ${id}`;
    return {
      problem: `${problem}, but ${what} has ${openings(several)} openings`,
      remedy: `give each node a single one, and each opening a node of its own, ${sample}`,
    };
  }
  if (!graph.isTree) {
    return {
      problem: `${problem}, but several paths lead to the same node`,
      remedy: `make the graph a tree, ${sample}`,
    };
  }
  const leaves = graph.nodesOf(graph.stages - 1).length;
  const most = MOST_PATHS[count];
  if (leaves <= most) return undefined;
  return {
    problem: `${problem}, but there are ${leaves} of them, and at most ${most} are walked`,
    remedy: `take a smaller tree, ${sample}`,
  };
}
