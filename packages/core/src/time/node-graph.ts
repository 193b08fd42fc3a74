/** A node to which a path may go, and how likely that is. */
export interface Transition {
  /** Its index. */
  readonly node: number;
  readonly probability: number;
}

/** A stage as some of the paths find it: with openings of its own, and with its own nodes that may follow. */
export interface GraphNode {
  readonly id: number;
  readonly label?: string | undefined;
  /** The index of its stage. */
  readonly stage: number;
  /** What may follow, in the order of the nodes. Nothing follows the last stage, unless the graph is cyclic. */
  readonly children: readonly Transition[];
}

/** A path from the first stage to the last. */
export interface GraphPath {
  /** The node of each stage. */
  readonly nodes: Int32Array;
  readonly probability: number;
}

/**
 * The nodes through which paths go, one in each stage. They are ordered by stage. A chain has one node in each stage, so that nodes and stages have
 * the same indices. In a cyclic graph the first stage follows the last one, without end.
 *
 * @example
 * ```ts
 * const months = NodeGraph.chain([0, 1, 2]);
 * // A dry and a wet summer after one spring.
 * const seasons = new NodeGraph(
 *   [
 *     { id: 0, stage: 0, children: [{ node: 1, probability: 0.25 }, { node: 2, probability: 0.75 }] },
 *     { id: 1, stage: 1, children: [] },
 *     { id: 2, stage: 1, children: [] },
 *   ],
 *   [{ node: 0, probability: 1 }],
 * );
 * ```
 */
export class NodeGraph {
  readonly nodes: readonly GraphNode[];
  /** Where paths begin. */
  readonly roots: readonly Transition[];
  /** The number of stages. */
  readonly stages: number;
  private readonly byStage: readonly (readonly number[])[];

  /** @param nodes ordered by stage; every node but those of the last stage has children, all of the next stage */
  constructor(nodes: readonly GraphNode[], roots: readonly Transition[]) {
    this.nodes = nodes;
    this.roots = roots;
    this.stages = nodes.reduce((most, { stage }) => Math.max(most, stage + 1), 0);
    const byStage: number[][] = Array.from({ length: this.stages }, () => []);
    nodes.forEach(({ stage }, node) => {
      byStage[stage]?.push(node);
    });
    this.byStage = byStage;
  }

  /** One node for each stage, with the id of the stage. */
  static chain(stageIds: readonly number[], isCyclic = false): NodeGraph {
    const end = stageIds.length;
    const nodes = stageIds.map((id, stage): GraphNode => {
      const isLast = stage + 1 === end;
      const next = { node: (stage + 1) % end, probability: 1 };
      return { id, stage, children: isLast && !isCyclic ? [] : [next] };
    });
    return new NodeGraph(nodes, [{ node: 0, probability: 1 }]);
  }

  /** Whether every stage has one node. */
  get isChain(): boolean {
    return this.nodes.length === this.stages;
  }

  /** Whether the first stage follows the last one. */
  get isCyclic(): boolean {
    return (this.nodes.at(-1)?.children.length ?? 0) > 0;
  }

  /** Whether one way only leads to each node, and every path ends. */
  get isTree(): boolean {
    if (this.isCyclic) return false;
    const ways = new Int32Array(this.nodes.length);
    const count = ({ node }: Transition) => {
      ways[node] = (ways[node] ?? 0) + 1;
    };
    this.roots.forEach(count);
    for (const { children } of this.nodes) children.forEach(count);
    return ways.every((number) => number <= 1);
  }

  /** The nodes of a stage, in order. */
  nodesOf(stage: number): readonly number[] {
    return this.byStage[stage] ?? [];
  }

  /** Of a tree: every path, in the order of a walk that goes down before it goes sideways. */
  paths(): readonly GraphPath[] {
    const found: GraphPath[] = [];
    const walk = (
      before: readonly number[],
      { node, probability }: Transition,
      reached: number,
    ) => {
      const path = [...before, node];
      const likely = reached * probability;
      const children = this.nodes[node]?.children ?? [];
      if (children.length === 0) found.push({ nodes: Int32Array.from(path), probability: likely });
      for (const child of children) walk(path, child, likely);
    };
    for (const root of this.roots) walk([], root, 1);
    return found;
  }
}
