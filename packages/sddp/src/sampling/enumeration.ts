import type { NodeGraph } from "@cobre/core";
import { type Config, LIMITS } from "@cobre/io";

/** Of the parts of a configuration that may ask for every path: the field that would tell how many are drawn, and how many there may be. */
const COUNTS = {
  training: { count: "forward_passes", most: LIMITS.forwardPasses },
  simulation: { count: "num_scenarios", most: LIMITS.scenarios },
} as const;

type Section = keyof typeof COUNTS;

interface EnumerationFault {
  readonly problem: string;
  readonly remedy: string;
}

/** Why forward passes or scenarios cannot go along every path once, where the configuration asks for that and they cannot. */
export function enumerationFaults(
  config: Pick<Config, Section>,
  graph: NodeGraph,
  openings: (node: number) => number,
): readonly (EnumerationFault & { readonly field: string })[] {
  return (["training", "simulation"] as const).flatMap((section) => {
    const fault = config[section].isEnumerated && faultIn(section, graph, openings);
    return fault ? [{ ...fault, field: `${section}.selection` }] : [];
  });
}

function faultIn(
  section: Section,
  graph: NodeGraph,
  openings: (node: number) => number,
): EnumerationFault | undefined {
  const { count, most } = COUNTS[section];
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
  if (leaves <= most) return undefined;
  return {
    problem: `${problem}, but there are ${leaves} of them, and at most ${most} are walked`,
    remedy: `take a smaller tree, ${sample}`,
  };
}
